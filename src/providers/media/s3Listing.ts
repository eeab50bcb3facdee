/** A page of a bucket's listing, as S3 writes it in XML. Keys of ours need no escaping; others are passed over. */
import { isStoredMediaId, type ListedMedia } from '../contracts/media.ts';

export interface S3ListingPage {
  files: ListedMedia[];
  /** Where the next page begins; undefined: there is none. */
  next: string | undefined;
}

export const parseS3Listing = (xml: string): S3ListingPage => ({
  files: xml
    .split('<Contents>')
    .slice(1)
    .flatMap((entry) => fileOf(entry.split('</Contents>', 1)[0]!) ?? []),
  next: /<IsTruncated>true</.test(xml) ? unescaped(valueOf(xml, 'NextContinuationToken')) : undefined,
});

const fileOf = (entry: string): ListedMedia | undefined => {
  const [, id, account] = /^(.+)\/(\d{1,15})$/.exec(valueOf(entry, 'Key')) ?? [];
  if (id === undefined || !isStoredMediaId(id)) return undefined;
  return {
    account: Number(account),
    id,
    bytes: Number(valueOf(entry, 'Size')),
    modifiedAt: Date.parse(valueOf(entry, 'LastModified')) || 0,
  };
};

const valueOf = (xml: string, name: string): string =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
