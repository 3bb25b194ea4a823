// Checks that pods have no rights, end in time, listen where they are asked, and reach no metadata address.
import { readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nameOf } from './check-fields.mjs';
import { nodeFlags, podOf } from './check-settings.mjs';

const METADATA = ['169.254.169.254', 'fd00:ec2::254'];
const marginMs = 5_000;
/** The first port of a program has its health. */
const PORTS = {
  api: [
    ['http', 'PORT'],
    ['metrics', 'KURIR_METRICS_PORT'],
  ],
  worker: [
    ['health', 'KURIR_HEALTH_PORT'],
    ['metrics', 'KURIR_METRICS_PORT'],
  ],
};

/** Complaints about the rights of all pods, also those of Postgres and Redis. */
export function checkRights(objects) {
  return objects.filter(podOf).flatMap((object) => {
    const pod = podOf(object);
    const { securityContext: ofPod = {} } = pod;
    const labels = object.spec.template.metadata.labels;
    const faults = [
      [ofPod.runAsNonRoot === true && ofPod.runAsUser > 0, 'may run as root'],
      [ofPod.seccompProfile?.type === 'RuntimeDefault', 'has no seccomp profile'],
      [pod.automountServiceAccountToken === false, 'gets a token of Kubernetes'],
      [pod.enableServiceLinks === false, 'gets the addresses of all Services in its environment'],
      [labels['app.kubernetes.io/part-of'] === 'kurir', 'is not part of kurir, so no network policy closes it'],
      ...pod.containers.flatMap(({ securityContext: own = {}, resources = {}, image }) => [
        [own.readOnlyRootFilesystem === true, 'may write to its image'],
        [own.allowPrivilegeEscalation === false, 'may gain privileges'],
        [own.capabilities?.drop?.join() === 'ALL', 'keeps capabilities'],
        [resources.limits?.memory && resources.requests?.cpu && resources.requests.memory, 'names no resources'],
        [/:\d+\.\d+/.test(image), `has no exact version: ${image}`],
      ]),
    ];
    return faults.filter(([holds]) => !holds).map(([, fault]) => `${nameOf(object)} ${fault}`);
  });
}

/** Complaints about the programs of Kurir. `loaded` comes from `checkSettings`. */
export async function checkPrograms(root, loaded) {
  const read = (path) => readFileSync(join(root, path), 'utf8');
  const { stopMs } = await import(pathToFileURL(join(root, 'apps/worker/dist/leases/time-limits.js')).href);
  const stopWithinMs = Number(/stopWithinMs = (\d+)_000/.exec(read('apps/api/src/main.ts'))[1]) * 1_000;
  const version = JSON.parse(read('package.json')).version;
  const flags = nodeFlags(root);
  return loaded.flatMap(({ object, pod, container, program, values, entry }) => {
    const graceMs = pod.terminationGracePeriodSeconds * 1_000;
    const needsMs = { api: values.KURIR_DRAIN_SECONDS * 1_000 + stopWithinMs, worker: stopMs }[program];
    const command = ['node', ...(program === 'migrate' ? [] : flags), entry].join(' ');
    const faults = [
      [container.image.endsWith(`:${version}`), `has the image ${container.image}, not the version ${version}`],
      [container.command.join(' ') === command, `runs ${container.command.join(' ')}, not ${command}`],
      [
        program === 'migrate' || graceMs >= needsMs + marginMs,
        `ends after ${graceMs} ms, and needs ${needsMs} ms to stop`,
      ],
      ...(PORTS[program] ?? []).map((names) => portFault(container, names, values)),
      ...probeFaults(container, program, values),
    ];
    return faults.filter(([holds]) => !holds).map(([, fault]) => `${nameOf(object)} ${fault}`);
  });
}

function portFault(container, [portName, setting], values) {
  const port = container.ports.find(({ name }) => name === portName)?.containerPort;
  return [port === values[setting], `has port ${port} for ${portName}, and ${setting} is ${values[setting]}`];
}

function probeFaults(container, program, values) {
  if (program === 'migrate') return [];
  const { startupProbe, livenessProbe, readinessProbe } = container;
  const isProbe = (probe, path) => probe?.httpGet.path === path && probe.httpGet.port === PORTS[program][0][0];
  const faults = [
    [isProbe(startupProbe, '/health/live') && isProbe(livenessProbe, '/health/live'), 'is not asked whether it lives'],
    [isProbe(readinessProbe, '/health/ready'), 'is not asked whether it is ready'],
  ];
  if (program !== 'api' || readinessProbe === undefined) return faults;
  const unreadySeconds = readinessProbe.periodSeconds * readinessProbe.failureThreshold;
  return [...faults, [values.KURIR_DRAIN_SECONDS >= unreadySeconds, `drains shorter than ${unreadySeconds} s`]];
}

/** Complaints about rules that let a pod reach the metadata address of a cloud. */
export function checkMetadata(objects) {
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
  const closing = policies.some(
    ({ spec }) => spec.policyTypes.join() === 'Ingress,Egress' && !spec.egress && !spec.ingress,
  );
  const open = policies.filter(({ spec }) => (spec.egress ?? []).some(({ to }) => !to || to.some(reachesMetadata)));
  return [
    ...(closing ? [] : ['no NetworkPolicy closes all pods']),
    ...open.map((policy) => `${nameOf(policy)} lets pods reach ${METADATA.join(' or ')}`),
  ];
}

function reachesMetadata({ ipBlock }) {
  return (
    ipBlock !== undefined &&
    METADATA.some((address) => isIn([ipBlock.cidr], address) && !isIn(ipBlock.except ?? [], address))
  );
}

const familyOf = (address) => (address.includes(':') ? 'ipv6' : 'ipv4');

function isIn(cidrs, address) {
  const list = new BlockList();
  for (const cidr of cidrs.filter((each) => familyOf(each) === familyOf(address))) {
    const [net, bits] = cidr.split('/');
    list.addSubnet(net, Number(bits), familyOf(net));
  }
  return list.check(address, familyOf(address));
}
