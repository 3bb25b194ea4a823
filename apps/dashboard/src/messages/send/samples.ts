/** The programs of the repository's examples/, byte for byte: the page shows the programs that the tests run. They need no client. */
import curl from '#examples/send.sh?raw';
import go from '#examples/send.go?raw';
import php from '#examples/send.php?raw';
import python from '#examples/send.py?raw';
import typescript from '#examples/send.ts?raw';

export type Sample = {
  readonly name: string;
  readonly file: string;
  readonly command: readonly string[];
  readonly code: string;
};

export const samples: readonly Sample[] = [
  { name: 'TypeScript', file: 'send.ts', command: ['npx', '-y', 'tsx', 'send.ts'], code: typescript },
  { name: 'Python', file: 'send.py', command: ['python3', 'send.py'], code: python },
  { name: 'PHP', file: 'send.php', command: ['php', 'send.php'], code: php },
  { name: 'Go', file: 'send.go', command: ['go', 'run', 'send.go'], code: go },
  { name: 'curl', file: 'send.sh', command: ['bash', 'send.sh'], code: curl },
];
