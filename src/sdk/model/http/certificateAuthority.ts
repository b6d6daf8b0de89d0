import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as tls from 'node:tls';
import { messageOf } from '../../../util/errors';

/** PEM text, or the path of a PEM file. A function is called before every request. Empty or `undefined`: none. */
export type CertificateAuthority = string | (() => string | undefined);

/**
 * The authorities to trust for one connection: the usual ones and the given one; `undefined` without a given one. The
 * file is read for each connection, so a renewed one counts. Rejects with an error that names the file and the
 * problem.
 */
export async function readAuthorities(given: CertificateAuthority | undefined): Promise<string[] | undefined> {
  const value = (typeof given === 'function' ? given() : given)?.trim() ?? '';
  if (value === '') return undefined;
  const isText = value.includes('-----BEGIN ');
  const source = isText ? 'The certificate authority' : `The certificate authority ${value}`;
  const text = isText ? value : await readPem(value, source);
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g) ?? [];
  if (certificates.length === 0) {
    throw new Error(
      `${source} holds no certificate. It must be PEM: text between BEGIN CERTIFICATE and END CERTIFICATE.`,
    );
  }
  for (const certificate of certificates) checkCertificate(certificate, source);
  return [...usualAuthorities(), ...certificates];
}

/** A list of authorities replaces the default ones, so they are listed too. */
function usualAuthorities(): readonly string[] {
  // Before Node 22.15 only Node's own authorities are available.
  const { getCACertificates } = tls as { readonly getCACertificates?: (from: 'default' | 'system') => string[] };
  if (!getCACertificates) return tls.rootCertificates;
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
}

async function readPem(path: string, source: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Error(`${source} cannot be read: ${messageOf(error)}`);
  }
}

function checkCertificate(pem: string, source: string): void {
  try {
    new X509Certificate(pem);
  } catch (error) {
    throw new Error(`${source} holds a broken certificate: ${messageOf(error)}`);
  }
}
