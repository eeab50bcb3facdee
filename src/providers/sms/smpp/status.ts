/** What an SMSC says to a submission, by its status (SMPP 3.4, 5.1.3). */
import smpp from 'smpp';

/**
 * `taken`; `later`: it takes nothing now, and slower is better; `elsewhere`: it cannot, another carrier may;
 * `refused`: not this message.
 */
export type SmppStatusClass = 'taken' | 'later' | 'elsewhere' | 'refused';

const names = new Map(Object.entries(smpp.errors).map(([name, status]) => [status, name]));

const later = new Set(['ESME_RTHROTTLED', 'ESME_RMSGQFUL']);
const elsewhere = new Set(['ESME_RSYSERR', 'ESME_RX_T_APPN', 'ESME_RINVBNDSTS', 'ESME_RSERTYPUNAVAIL']);

/** The name of the specification, or the number of one that it does not know. */
export const smppStatusName = (status: number): string => names.get(status) ?? `0x${status.toString(16)}`;

export const classifySmppStatus = (status: number): SmppStatusClass => {
  if (status === 0) return 'taken';
  const name = smppStatusName(status);
  if (later.has(name)) return 'later';
  return elsewhere.has(name) ? 'elsewhere' : 'refused';
};
