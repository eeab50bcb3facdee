import { type Break, tests } from '../break.ts';

/** Journals, providers, rules and doors. */
export const others: readonly Break[] = [
  {
    name: 'unsynced-lines-dropped',
    harm: 'Lines that were written while others were being synced are not kept for the next segment when the disk fails: acknowledged commits are in no journal.',
    file: 'src/journal/backgroundSyncKeepingLines.ts',
    from: `this.#drop(covered - this.#dropped);`,
    to: `this.#drop(Math.max(covered - this.#dropped, this.#kept.length));`,
    by: [
      tests('journal/backgroundSyncKeepingLines'),
      tests('journal/journalWriteOutage', 'journal/fileJournal', 'journal/damage'),
    ],
  },
  {
    name: 'missing-segment-not-noticed',
    harm: 'A journal with a segment lost in the middle passes for whole.',
    file: 'src/journal/listStoredJournals.ts',
    from: `if (!before || before.segment + 1 === file.segment) continue;`,
    to: `if (!before || before.segment < file.segment) continue;`,
    by: [tests('journal/damage'), tests('journal/compressAndPruneSegments', 'journal/fileJournal')],
  },
  {
    name: 'slot-freed-by-former-leg',
    harm: 'The end of an earlier leg frees the slot of the next one before it is dialled: more calls than the trunk has channels.',
    file: 'src/providers/dialClearance/capacityLimiter.ts',
    from: `if (leg !== undefined && slot?.leg !== undefined && slot.leg !== leg) return;`,
    to: `if (leg !== undefined && slot?.leg !== undefined && slot.leg < leg) return;`,
    by: [tests('providers/dialClearance/capacityLimiter'), tests('providers/dialClearance/callAdmission')],
  },
  {
    name: 'partly-sent-counts-as-untouched',
    harm: 'A long SMS that was half taken goes out a second time by another route.',
    file: 'src/providers/sms/smpp/multipartSubmissionState.ts',
    from: `return this.inFlight === 0 && this.#taken === 0 && !this.#isDoubtful;`,
    to: `return this.inFlight === 0 || this.#taken === 0;`,
    by: [tests('providers/sms/smpp/outbox'), tests('providers/sms/smpp')],
  },
  {
    name: 'old-failures-prolong-the-pause',
    harm: 'Attempts that began before a receiver was found dead double its pause when they fail: it is left alone for a minute at once.',
    file: 'src/providers/delivery/webhook/breaker.ts',
    from: `(pause > 0 && began <= openedAt)`,
    to: `(pause > 0 && began < 0)`,
    by: [tests('providers/delivery/endpointLimiter'), tests('providers/delivery/circuitOpen')],
  },
  {
    name: 'dialled-twice-in-one-line',
    harm: 'Two dials of one channel that arrive together are both carried out by the sandbox: tests against it count one call twice.',
    file: 'src/providers/telephony/sandbox/simulatedCarrier.ts',
    from: `if (living !== 'ended' || dials.has(channel)) {`,
    to: `if (living !== 'ended' && dials.has(channel)) {`,
    by: [tests('providers/telephony/sandbox'), tests('providers/telephony/sandbox/carrier')],
  },
  {
    name: 'carrier-cancel-is-busy',
    harm: 'A call that the carrier cleared normally before an answer counts as unreachable, and is dialled again.',
    file: 'src/providers/telephony/asterisk/outcome.ts',
    from: `if (cancelled || cause === 16) return 'cancelled';`,
    to: `if (cancelled && cause === 16) return 'cancelled';`,
    by: [tests('providers/telephony/asterisk.outcome')],
  },
  {
    name: 'last-second-closed',
    harm: 'A campaign that ends at 23:59:59 is over a second early: a call in that second is not made.',
    file: 'src/rules/campaigns/campaignWindowByRegion.ts',
    from: `fromLocal(date, time, zone) + 1_000;`,
    to: `fromLocal(date, time, zone);`,
    by: [tests('rules/campaigns/campaignWindowByRegion')],
  },
  {
    name: 'left-twice-counts-twice',
    harm: 'An answer that ends twice, as a broken connection does, gives two places back: the bound on unread answers goes.',
    file: 'src/access/unsentResponseLimits.ts',
    from: `      own = 0;
      left?.();`,
    to: `      left?.();`,
    by: [tests('access/unsentResponseLimits')],
  },
  {
    name: 'newer-lockout-lost',
    harm: 'An address that is locked out while its earlier lock-out is being written is open again after a restart.',
    file: 'src/access/persistedLockouts.ts',
    from: `for (const one of batch) if (waiting.get(one.address) === one) waiting.delete(one.address);`,
    to: `for (const one of batch) waiting.delete(one.address);`,
    by: [tests('access/lockouts')],
  },
];
