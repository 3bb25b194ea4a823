// Faults in good objects. If the checks do not find each of them, they are asleep.
import { checkFields } from './check-fields.mjs';
import { checkMeaning } from './check-manifests.mjs';
import { podOf } from './check-settings.mjs';

const find = (objects, kind, name) =>
  objects.find((object) => object.kind === kind && object.metadata.name === name) ?? fail(`${kind} ${name}`);
const fail = (what) => {
  throw new Error(`there is no ${what} to plant a fault in`);
};
const podIn = (objects, name) => podOf(find(objects, 'Deployment', name));
const containerIn = (objects, name) => podIn(objects, name).containers[0];
const rename = (object, from, to) => {
  object[to] = object[from];
  delete object[from];
};
const sharedSettings = (objects) => find(objects, 'ConfigMap', 'kurir-settings').data;

/** A part of the complaint, and the change. */
const PLANTED_FIELDS = [
  [
    '"minReplica"',
    (objects) => rename(find(objects, 'HorizontalPodAutoscaler', 'kurir-api').spec, 'minReplicas', 'minReplica'),
  ],
  [
    '"maxUnavailabel"',
    (objects) => rename(find(objects, 'PodDisruptionBudget', 'kurir-api').spec, 'maxUnavailable', 'maxUnavailabel'),
  ],
  [
    '"pollingIntervall"',
    (objects) => rename(find(objects, 'ScaledObject', 'kurir-devices').spec, 'pollingInterval', 'pollingIntervall'),
  ],
  [
    '"podSelectors"',
    (objects) => rename(find(objects, 'NetworkPolicy', 'kurir-names').spec, 'podSelector', 'podSelectors'),
  ],
  ['"readinessprobe"', (objects) => rename(containerIn(objects, 'kurir-api'), 'readinessProbe', 'readinessprobe')],
  [
    "'string' is not assignable",
    (objects) => Object.assign(podIn(objects, 'kurir-api'), { terminationGracePeriodSeconds: '40' }),
  ],
];

const PLANTED = [
  ['KURIR_HOTS is no setting of api', (objects) => rename(sharedSettings(objects), 'KURIR_HOST', 'KURIR_HOTS')],
  ['REDIS_URL is missing', (objects) => delete sharedSettings(objects).REDIS_URL_FILE],
  [
    'no Secret is mounted at /kurir/key/',
    (objects) => Object.assign(sharedSettings(objects), { REDIS_URL_FILE: '/kurir/key/redis_url' }),
  ],
  [
    'KURIR_TRUST_PROXY is no setting of worker',
    (objects) => Object.assign(sharedSettings(objects), { KURIR_TRUST_PROXY: '1' }),
  ],
  [
    'has port 3005',
    (objects) => Object.assign(containerIn(objects, 'kurir-webhooks').ports[0], { containerPort: 3005 }),
  ],
  [
    'needs 14000 ms to stop',
    (objects) => Object.assign(podIn(objects, 'kurir-devices'), { terminationGracePeriodSeconds: 15 }),
  ],
  [
    'drains shorter',
    (objects) => Object.assign(find(objects, 'ConfigMap', 'kurir-api-settings').data, { KURIR_DRAIN_SECONDS: '5' }),
  ],
  [
    'may write to its image',
    (objects) =>
      Object.assign(containerIn(objects, 'kurir-devices').securityContext, { readOnlyRootFilesystem: false }),
  ],
  ['may run as root', (objects) => Object.assign(podIn(objects, 'kurir-devices').securityContext, { runAsUser: 0 })],
  ['gets a token', (objects) => delete podIn(objects, 'kurir-api').automountServiceAccountToken],
  [
    'not the version',
    (objects) => Object.assign(containerIn(objects, 'kurir-api'), { image: 'registry.example.com/kurir:latest' }),
  ],
  [
    'lets pods reach',
    (objects) => delete find(objects, 'NetworkPolicy', 'kurir-workers-outside').spec.egress[0].to[0].ipBlock.except,
  ],
  [
    'no NetworkPolicy closes',
    (objects) => objects.splice(objects.indexOf(find(objects, 'NetworkPolicy', 'kurir-nothing-else')), 1),
  ],
  [
    'selects no pod',
    (objects) =>
      Object.assign(find(objects, 'Service', 'kurir-api').spec.selector, { 'app.kubernetes.io/name': 'api' }),
  ],
  [
    'which is not there',
    (objects) =>
      Object.assign(find(objects, 'ScaledObject', 'kurir-devices').spec.scaleTargetRef, { name: 'kurir-device' }),
  ],
  [
    'which nobody makes',
    (objects) => Object.assign(podIn(objects, 'kurir-api').volumes[0].secret, { secretName: 'kurir-key' }),
  ],
  [
    '500 devices add one',
    (objects) =>
      Object.assign(find(objects, 'ScaledObject', 'kurir-devices').spec.triggers[0].metadata, { threshold: '500' }),
  ],
  ['has a number of pods', (objects) => Object.assign(find(objects, 'Deployment', 'kurir-api').spec, { replicas: 2 })],
  [
    'the workers have the roles',
    (objects) => objects.splice(objects.indexOf(find(objects, 'Deployment', 'kurir-webhooks')), 1),
  ],
];

/** Complaints about the checks; empty if each finds its fault. `objects` are those of a good overlay. */
export async function checkPlantedManifests(root, objects) {
  const [ofFields, ...missed] = await Promise.all([
    missedFields(root, objects),
    ...PLANTED.map(async ([sentence, plant]) => {
      const copy = structuredClone(objects);
      plant(copy);
      return (await checkMeaning(root, copy)).some((problem) => problem.includes(sentence)) ? [] : [sentence];
    }),
  ]);
  return [...ofFields, ...missed.flat()].map((sentence) => `planted and not found: ${sentence}`);
}

/** One run of TypeScript for all: it takes the longest to start. */
async function missedFields(root, objects) {
  const changed = PLANTED_FIELDS.flatMap(([, plant]) => {
    const copy = structuredClone(objects);
    plant(copy);
    return copy.filter((object, index) => JSON.stringify(object) !== JSON.stringify(objects[index]));
  });
  const found = await checkFields(root, changed);
  return PLANTED_FIELDS.map(([sentence]) => sentence).filter(
    (sentence) => !found.some((line) => line.includes(sentence)),
  );
}
