import { isSandbox } from '@kurir/contracts/dashboard';
import { clsx } from 'clsx';
import { Cpu, Smartphone } from 'lucide-react';

export function NetworkMark({ network }: { network: string }) {
  const isSimulated = isSandbox(network);
  const Icon = isSimulated ? Cpu : Smartphone;
  return (
    <span
      aria-hidden
      className={clsx(
        'grid size-10 shrink-0 place-items-center rounded-md',
        isSimulated ? 'bg-warn-soft text-warn' : 'bg-ok-soft text-ok',
      )}
    >
      <Icon className="size-5" strokeWidth={1.8} />
    </span>
  );
}
