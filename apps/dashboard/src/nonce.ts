/**
 * The content security policy allows only styles with the nonce of this page. The library that stops the page from
 * scrolling under a dialog writes such a style. Vite puts the nonce into a meta element.
 */
import { setNonce } from 'get-nonce';

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
if (nonce !== undefined && nonce !== '') setNonce(nonce);
