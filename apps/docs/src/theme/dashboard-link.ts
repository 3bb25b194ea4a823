import { useData } from 'vitepress';
import { defineComponent, h } from 'vue';

/** A link out of the site. The target keeps the router of the site from taking it. */
export const DashboardLink = defineComponent(() => {
  const { lang } = useData();
  return () =>
    h('a', { class: 'docs-home', href: '/app/', target: '_self' }, lang.value === 'id' ? 'Dasbor' : 'Dashboard');
});
