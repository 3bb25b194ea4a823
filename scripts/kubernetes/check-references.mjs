// Checks that what one object names is there: pods for selectors, targets of scaling, Secrets, all roles of workers.
import { nameOf } from './check-fields.mjs';
import { podOf } from './check-settings.mjs';

/** Secrets that the operator makes, as docs/kubernetes.md says. */
const EXISTING_SECRETS = ['kurir', 'kurir-owner'];

function isSelected(labels, { matchLabels = {}, matchExpressions = [] }) {
  return (
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key]))
  );
}

/** The selectors of an object that concern pods of the same namespace. */
function selectorsOf({ kind, spec }) {
  if (kind === 'Service') return [{ matchLabels: spec.selector }];
  if (kind === 'NetworkPolicy') return [spec.podSelector, ...peersOf(spec).flatMap((peer) => peer.podSelector ?? [])];
  return spec?.selector === undefined ? [] : [spec.selector];
}

const peersOf = ({ ingress = [], egress = [] }) => [
  ...ingress.flatMap(({ from = [] }) => from),
  ...egress.flatMap(({ to = [] }) => to),
];

export function checkReferences(objects) {
  const pods = objects.filter(podOf).map(({ spec }) => spec.template.metadata.labels);
  const has = (kind, name) => objects.some((object) => object.kind === kind && object.metadata.name === name);
  return objects.flatMap((object) => {
    const target = object.spec?.scaleTargetRef;
    const secrets = (podOf(object)?.volumes ?? []).flatMap(({ secret }) => secret?.secretName ?? []);
    return [
      ...selectorsOf(object)
        .filter((selector) => !pods.some((labels) => isSelected(labels, selector)))
        .map((selector) => `${nameOf(object)} selects no pod: ${JSON.stringify(selector)}`),
      ...(target === undefined || has(target.kind ?? 'Deployment', target.name)
        ? []
        : [`${nameOf(object)} scales ${target.name}, which is not there`]),
      ...secrets
        .filter((name) => !has('Secret', name) && !EXISTING_SECRETS.includes(name))
        .map((name) => `${nameOf(object)} mounts the Secret ${name}, which nobody makes`),
    ];
  });
}

/** Complaints about the roles of workers, and about the number of devices that adds a worker. */
export function checkScaling(objects, loaded) {
  const workers = loaded.filter(({ program }) => program === 'worker');
  const roles = workers.flatMap(({ values }) => values.KURIR_WORKER_ROLES).sort();
  const holder = workers.find(({ values }) => values.KURIR_WORKER_ROLES.includes('devices'));
  const capacity = holder?.values.KURIR_WORKER_CAPACITY;
  const scaled = objects.filter(({ kind }) => kind === 'ScaledObject');
  const scalers = objects.filter(({ kind }) => kind === 'ScaledObject' || kind === 'HorizontalPodAutoscaler');
  const fixed = objects.filter(({ metadata, spec }) => {
    const isScaled = scalers.some((scaler) => scaler.spec.scaleTargetRef.name === metadata.name);
    return podOf({ spec }) !== undefined && isScaled && spec.replicas !== undefined;
  });
  return [
    ...(roles.join() === 'broadcasts,devices,webhooks' ? [] : [`the workers have the roles ${roles.join()}`]),
    ...scaled
      .flatMap(({ spec }) => spec.triggers)
      .filter(({ metadata }) => !(Number(metadata.threshold) < capacity))
      .map(({ metadata }) => `a worker holds ${capacity} devices, and ${metadata.threshold} devices add one`),
    ...fixed.map((object) => `${nameOf(object)} is scaled, and has a number of pods`),
  ];
}
