/** A page whose code comes when a person first opens it. */
import { type ComponentType, createElement, type FunctionComponent } from 'react';

/** The code of a page did not come. Browsers remember that, so only a new document can fetch it. */
export class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded';
}

type LazyPage = FunctionComponent & {
  /** Fetches the code. The router calls it before it shows the page. */
  readonly preload: () => Promise<void>;
};

export function lazyPage<Name extends string>(
  fetchModule: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): LazyPage {
  let page: ComponentType | null = null;
  const show = () => (page === null ? null : createElement(page));
  const preload = async () => {
    try {
      page ??= (await fetchModule())[name];
    } catch (cause) {
      throw new PageNotLoaded('The code of the page did not come.', { cause });
    }
  };
  return Object.assign(show, { preload });
}

/** Fetches the code of a route's page, if it comes later. Rejects if it does not come. */
export async function preloadPage(component: unknown): Promise<void> {
  if (typeof component === 'function' && 'preload' in component) await (component as LazyPage).preload();
}

/** Returns true if the gateway answers. */
export async function isGatewayReachable(): Promise<boolean> {
  try {
    return (await fetch('/app/boot.js', { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
