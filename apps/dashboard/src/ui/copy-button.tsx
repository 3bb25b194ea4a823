import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { defineTexts, useTexts } from '../i18n/texts.js';
import { Button, type ButtonProps } from './button.js';

const texts = defineTexts({ copy: 'Copy', copied: 'Copied' }, { copy: 'Salin', copied: 'Tersalin' });
const shownForMs = 1_600;

type CopyButtonProps = Omit<ButtonProps, 'children'> & { text: string; label?: string; iconOnly?: boolean };

export function CopyButton({ text, label, iconOnly = false, ...rest }: CopyButtonProps) {
  const t = useTexts(texts);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), shownForMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  const Icon = copied ? Check : Copy;
  return (
    <Button
      size={iconOnly ? 'icon' : 'small'}
      look={iconOnly ? 'quiet' : 'secondary'}
      {...rest}
      aria-label={iconOnly ? (label ?? t.copy) : undefined}
      onClick={() => void copy()}
    >
      <Icon aria-hidden className="size-4" />
      {!iconOnly && <span>{copied ? t.copied : (label ?? t.copy)}</span>}
      <span role="status" className="sr-only">
        {copied ? t.copied : ''}
      </span>
    </Button>
  );
}
