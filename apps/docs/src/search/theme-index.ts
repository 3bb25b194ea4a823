/** Takes the place of the index in the search of the theme: each language has both indexes, its own first. */
import indexes from '#search-indexes';

const load = (languages: readonly (keyof typeof indexes)[]) => async () => {
  const modules = await Promise.all(languages.map((language) => indexes[language]()));
  return { default: modules.map((module) => module.default) };
};

export default { root: load(['root', 'id']), id: load(['id', 'root']) };
