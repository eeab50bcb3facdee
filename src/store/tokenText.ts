/** What a token looks like, and what is kept of it. */
import { hash, randomInt } from 'node:crypto';

/** 30 letters and digits. */
export const tokenPattern = /^[A-Za-z0-9]{30}$/;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A new random one; the 30 characters of an account's are 178 bits. */
export const newToken = (length = 30): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** SHA-256 of a token, in hexadecimal. */
export const hashToken = (secret: string): string => hash('sha256', secret);
