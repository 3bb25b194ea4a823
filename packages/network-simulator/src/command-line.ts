/** The flags of the simulator's process. It reads no environment variables. */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { SimulatorOptions } from './simulator.js';

export const USAGE = `Usage: node dist/main.js [flags]

A small messaging network on this machine, for development and tests. It has no authentication: keep it local.

  --port N               port for HTTP and WebSocket (default 0: any free one)
  --host H               address to listen on (default 127.0.0.1)
  --journal FILE         where it keeps what it took, appended; read again at start (default: forgotten at the end)
  --receipt-delay-ms N   from taking a message to delivered, and again to read (default 200)
  --instance NAME        every answer returns it as the header X-Kurir-Instance
  --help                 this text

Prints one line of JSON when it is ready: {"listening":"http://127.0.0.1:PORT"}
`;

const flags = z.object({
  port: z.coerce.number().int().min(0).max(65_535).default(0),
  host: z.string().min(1).default('127.0.0.1'),
  journal: z.string().min(1).optional(),
  instance: z.string().min(1).optional(),
  'receipt-delay-ms': z.coerce.number().int().min(0).max(86_400_000).default(200),
});

export type Command =
  | { readonly kind: 'start'; readonly options: SimulatorOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly problem: string };

export function parseCommandLine(args: readonly string[]): Command {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        journal: { type: 'string' },
        instance: { type: 'string' },
        'receipt-delay-ms': { type: 'string' },
        help: { type: 'boolean' },
      },
    });
    if (values.help) return { kind: 'help' };
    const { port, host, journal, instance, 'receipt-delay-ms': receiptDelayMs } = flags.parse(values);
    return { kind: 'start', options: { port, host, receiptDelayMs, instance, journalFile: journal } };
  } catch (error) {
    if (error instanceof z.ZodError) return { kind: 'wrong', problem: z.prettifyError(error) };
    if (error instanceof TypeError) return { kind: 'wrong', problem: error.message };
    throw error;
  }
}
