/** A certificate for 127.0.0.1 that is its own authority, for servers and clients in tests. It needs `openssl`. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type CertificateFiles = {
  readonly certificateFile: string;
  readonly keyFile: string;
  /** The contents of the two files. */
  readonly certificate: string;
  readonly key: string;
  remove(): void;
};

export function makeCertificateFiles(): CertificateFiles {
  const folder = mkdtempSync(join(tmpdir(), 'kurir-tls-'));
  const [certificateFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
  const names = ['-subj', '/CN=kurir test', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', ...kind, ...names, '-out', certificateFile, '-keyout', keyFile], { stdio: 'ignore' });
  return {
    certificateFile,
    keyFile,
    certificate: readFileSync(certificateFile, 'utf8'),
    key: readFileSync(keyFile, 'utf8'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
