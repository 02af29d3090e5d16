import * as http from 'node:http';
import * as https from 'node:https';
import type { FetchJson } from '../../lib/login/oidc/index.ts';
import { readBounded } from '../outgoing/index.ts';

/** The time for a whole exchange, in ms. */
const TIMEOUT = 2_000;
/** The longest answer. An issuer has a few keys, each of some KB if it includes certificates. */
const MAXIMUM_BYTES = 256 * 1024;

/** Fetches a JSON document over HTTPS. It follows no redirect. */
export const fetchJson: FetchJson = (url, { certificateAuthority: ca }) => {
  const { get } = url.startsWith('http:') ? http : https;
  const signal = AbortSignal.timeout(TIMEOUT);
  return new Promise((resolve, reject) => {
    get(url, { ca, signal, headers: { accept: 'application/json' } }, (response) => {
      if (response.statusCode !== 200) {
        response.resume();
        reject(new Error(`${url} answered ${response.statusCode}`));
        return;
      }
      readBounded(response, MAXIMUM_BYTES)
        .then((text) => resolve(JSON.parse(text)))
        .catch(reject);
    }).once('error', reject);
  });
};
