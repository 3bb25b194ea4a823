/**
 * A form that sends the operation of the page to the sandbox. The key stays in the memory of this tab: it goes with the
 * page, and nothing stores it.
 */
import { useData } from 'vitepress';
import { defineComponent, h, reactive, ref, type VNode, watch } from 'vue';
import { faultOf } from './check-request.js';
import { withNewReferences } from './new-references.js';
import { type Answer, findSandboxDevice, type Request, sendRequest } from './send-request.js';
import { answerPart, field } from './try-fields.js';

type Call = {
  readonly method: string;
  readonly target: string;
  readonly body: string | null;
  readonly device: boolean;
};
type Typed = { target: string; body: string };

/** All pages of the tab share what was typed about the caller. */
const caller = reactive({ apiKey: '', apiSecret: '', deviceId: '' });

const requestOf = ({ method, body, device }: Call, typed: Typed): Request => ({
  method,
  target: typed.target,
  deviceId: device ? caller.deviceId : '',
  body: body === null ? null : typed.body,
});

/** Returns the answer of the gateway, or a sentence that says why there is none. */
async function send(call: Call, typed: Typed): Promise<Answer | string> {
  const fault = faultOf(requestOf(call, typed), caller);
  if (fault !== null) return fault;
  typed.body = withNewReferences(typed.body, call.body ?? '', crypto.randomUUID().slice(0, 8));
  try {
    if (call.device && caller.deviceId === '') caller.deviceId = (await findSandboxDevice(caller)) ?? '';
    return await sendRequest(requestOf(call, typed), caller);
  } catch {
    return 'No answer came. Look whether the gateway runs, then try again.';
  }
}

const callerFields = (device: boolean): VNode[] => [
  field({
    label: 'Test key',
    value: caller.apiKey,
    hint: 'kk_test_…',
    onInput: (text) => (caller.apiKey = text.trim()),
  }),
  field({
    label: 'Secret',
    value: caller.apiSecret,
    hint: 'ks_test_…',
    secret: true,
    onInput: (text) => (caller.apiSecret = text.trim()),
  }),
  ...(device
    ? [
        field({
          label: 'Device',
          value: caller.deviceId,
          hint: 'empty: the first of the sandbox',
          onInput: (text) => (caller.deviceId = text.trim()),
        }),
      ]
    : []),
];

const requestFields = ({ method, body }: Call, typed: Typed): VNode[] => [
  field({
    label: `${method}, path and query`,
    value: typed.target,
    onInput: (text) => (typed.target = text.trim()),
  }),
  ...(body === null
    ? []
    : [field({ label: 'Body', value: typed.body, rows: 8, onInput: (text) => (typed.body = text) })]),
];

export default defineComponent(() => {
  const { frontmatter } = useData();
  const call = () => frontmatter.value['call'] as Call | undefined;
  const typed = reactive<Typed>({ target: '', body: '' });
  const state = ref<Answer | string | null>(null);
  const busy = ref(false);
  const begin = ({ target, body }: Call) => {
    Object.assign(typed, { target, body: body ?? '' });
    state.value = null;
  };
  // The next page has another call, or none.
  watch(call, (next) => next && begin(next), { immediate: true });

  async function onSubmit(event: Event, asked: Call) {
    event.preventDefault();
    busy.value = true;
    state.value = await send(asked, typed);
    busy.value = false;
  }

  return () => {
    const asked = call();
    if (asked === undefined) return null;
    const submit = (event: Event) => onSubmit(event, asked);
    return h('form', { class: 'try', 'aria-label': 'Try it', onSubmit: submit }, [
      h('p', 'It goes to this gateway, signed in your browser. Use a test key and a device of the sandbox.'),
      ...callerFields(asked.device),
      ...requestFields(asked, typed),
      h('button', { class: 'try-send', type: 'submit', disabled: busy.value }, busy.value ? 'Sending …' : 'Send'),
      h('div', { 'aria-live': 'polite' }, answerPart(state.value)),
    ]);
  };
});
