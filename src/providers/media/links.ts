/**
 * Addresses under which a file may be fetched without a token until they expire: `<base>/media/<account>/<id>.wav`
 * (or `.mp3`) with an expiry and a signature. Links made on one day are the same text, so that who fetches may cache by
 * address.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseSecretKeys } from '../../lib/secretKeys.ts';
import { fileNameOf, idOfFileName } from '../contracts/media.ts';

export interface SignedMediaLinks {
  /** A link that is good for `forMs` (default one day) and up to a day longer. No commas in it: Asterisk splits there. */
  urlOf(account: number, id: string, forMs?: number): string;
  /** Reads the path and query of a request; undefined for other paths, wrong signatures and expired links. */
  read(pathAndQuery: string): SignedMediaLinkClaims | undefined;
}

export interface SignedMediaLinkClaims {
  account: number;
  id: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

export interface MediaLinkOptions {
  /** Address of this service as those see it who fetch, without a slash at the end. */
  baseUrl: string;
  /** `SECRET_KEY`: its first key signs the links, and those that the others signed stay good. */
  secret: string;
  /** Epoch milliseconds. */
  now: () => number;
}

const DAY = 86_400_000;

/** Makes and reads signed links. */
export const createSignedMediaLinks = ({ baseUrl, secret, now }: MediaLinkOptions): SignedMediaLinks => {
  const keys = parseSecretKeys(secret);
  const sign = (account: number, id: string, expiresAt: number, key = keys[0]): string =>
    createHmac('sha256', key).update(`media ${account} ${id} ${expiresAt}`).digest('base64url');
  const isSigned = ({ account, id, expiresAt }: SignedMediaLinkClaims, signature: string): boolean =>
    keys.some((key) =>
      timingSafeEqual(Buffer.from(signature), Buffer.from(sign(account, id, expiresAt, key))),
    );

  return {
    urlOf(account, id, forMs = DAY) {
      const expiresAt = Math.ceil((now() + forMs) / DAY) * DAY;
      return `${baseUrl}/media/${account}/${fileNameOf(id)}?e=${expiresAt}&s=${sign(account, id, expiresAt)}`;
    },

    read(pathAndQuery) {
      const match = /^\/media\/(\d{1,15})\/([a-z0-9_.-]{5,132})\?e=(\d{1,15})&s=([\w-]{43})$/.exec(
        pathAndQuery,
      );
      const [, account = '', name = '', expires = '', signature = ''] = match ?? [];
      const id = idOfFileName(name);
      if (id === undefined) return undefined;
      const link = { account: Number(account), id, expiresAt: Number(expires) };
      return isSigned(link, signature) && link.expiresAt > now() ? link : undefined;
    },
  };
};
