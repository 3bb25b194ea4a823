// Checks the rendered objects of deploy/kubernetes. `planted-manifests.mjs` proves that each check is awake.
import { checkFields } from './check-fields.mjs';
import { checkMetadata, checkPrograms, checkRights } from './check-pods.mjs';
import { checkReferences, checkScaling } from './check-references.mjs';
import { checkSettings } from './check-settings.mjs';

/** Complaints about one overlay. */
export async function checkObjects(root, objects) {
  return [...(await checkFields(root, objects)), ...(await checkMeaning(root, objects))];
}

/** The same for objects whose fields are right. */
export async function checkMeaning(root, objects) {
  const { problems, loaded } = await checkSettings(root, objects);
  return [
    ...problems,
    ...(await checkPrograms(root, loaded)),
    ...checkRights(objects),
    ...checkMetadata(objects),
    ...checkReferences(objects),
    ...checkScaling(objects, loaded),
  ];
}
