import { useTexts } from '../i18n/texts.js';
import { useMe } from '../session/me.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { commandKey, Kbd } from '../ui/kbd.js';
import { destinationsFor } from './ground/destinations.js';
import { openShell, useOverlay } from './ground/shell-state.js';
import { shellTexts } from './ground/texts.js';

function Row({ label, keys, between }: { label: string; keys: readonly string[]; between?: string }) {
  return (
    <div className="flex items-center justify-between gap-4 border-b border-line py-1.5 text-sm last:border-0">
      <dt>{label}</dt>
      <dd className="flex items-center gap-1.5 text-xs text-ink-faint">
        {keys.map((key, i) => (
          <span key={key} className="flex items-center gap-1.5">
            {i > 0 && between}
            <Kbd>{key}</Kbd>
          </span>
        ))}
      </dd>
    </div>
  );
}

export function ShortcutsDialog() {
  const t = useTexts(shellTexts);
  const me = useMe();
  return (
    <Dialog open={useOverlay() === 'shortcuts'} onClose={() => openShell(null)} title={t.shortcuts}>
      {/* On a small screen the list scrolls, and a keyboard scrolls it only if something in it can have the focus. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <dl tabIndex={0} className="outline-none">
        <Row label={t.shortcutPalette} keys={[commandKey, 'K']} />
        <Row label={t.shortcutSearch} keys={['/']} />
        <Row label={t.shortcutMove} keys={['j', 'k']} />
        {destinationsFor(me).map(({ name, key }) => (
          <Row key={name} label={t.pages[name]} keys={['g', key]} between={t.shortcutThen} />
        ))}
        <Row label={t.shortcutHelp} keys={['?']} />
      </dl>
    </Dialog>
  );
}
