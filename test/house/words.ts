/**
 * Words that the house gave up. A sentence without an actor makes its reader guess whether a node, a caller, an operator
 * or a person is meant; a private name must be explained before it helps. An exception says why it stands.
 */
import type { SourceFile } from './rooms.ts';

/** What stays, in files whose path begins so. */
interface Exception {
  in: string;
  /** Removed from the text before it is looked at. */
  stays: RegExp;
  why: string;
}

const riddleWords = /\b(?:nobody|no one|somebody|whoever|whomever|bad day)\b/gi;

const riddleExceptions: readonly Exception[] = [
  {
    in: 'machines/',
    stays: /['`]nobody['`]/g,
    why: 'the reason of a call, as records and snapshots hold it',
  },
  {
    in: 'src/store/reads/machines/callAttemptSql.ts',
    stays: /'nobody'/g,
    why: 'the same reason, in a record',
  },
  { in: 'src/admin/explained/', stays: /\bnobody:/g, why: 'the same reason, explained' },
  { in: 'src/store/embedded/', stays: /'nobody'/g, why: 'the system’s unprivileged user' },
  { in: 'docs/guides/', stays: /"nobody"|\bnobody;/g, why: 'what stands in a file instead of a number' },
  { in: 'docs/decisions/', stays: /`nobody`/g, why: 'the system’s unprivileged user' },
  {
    in: 'src/console/',
    stays: /\bneeds? somebody\b/g,
    why: 'what the console says of things that need an operator',
  },
  { in: 'src/', stays: /\bnoBody\b/g, why: 'a template without a body' },
];

/** Sentences of a text without an actor: their lines, and the word. */
export const riddles = (file: SourceFile): string[] =>
  found(without(file, riddleExceptions), riddleWords).map(
    ({ line, word }) => `${file.path}:${line} says ${word}`,
  );

/** Parts of names, in the singular: `courier` is found in `WebhookCouriers`. */
const formerParts = new Set([
  ...['aftermath', 'courier', 'desk', 'heir', 'hindrance', 'leftover', 'namesake', 'parcel', 'purse'],
  ...['resident', 'shelf', 'unborn', 'vault', 'workshop'],
  ...['unvouched', 'vouch', 'vouche', 'vouched', 'voucher', 'vouching'],
]);

/** Parts of names of two words, as names of every kind write them: `isPutBack`, `PUT_BACK_REASON`. */
const formerPairs = /put_?back|row_?image/i;

/** Whole names. */
const formerWords = new Set([
  // The engine.
  ...[
    'Absence',
    'Alarms',
    'Committed',
    'Draft',
    'FrozenSnapshot',
    'IdTable',
    'Lane',
    'Linked',
    'Mint',
    'NOBODY',
  ],
  ...[
    'PaidResult',
    'PaidStart',
    'Patients',
    'PathStepper',
    'Rounds',
    'Settling',
    'SNOOZE',
    'TakeUp',
    'WALKERS',
  ],
  ...[
    'birthDue',
    'birthMail',
    'givesWay',
    'hearsFor',
    'inwards',
    'isOnePath',
    'isPressing',
    'lostAt',
    'misplaced',
  ],
  ...['Doings', 'doings', 'overtaken', 'restful', 'shortOf', 'strike', 'thawRow', 'wakeUp'],
  ...['hearsay', 'patientKinds', 'takenUp'],
  // Charts.
  ...['EffectTerms', 'freeKeys', 'noteBuried', 'noteWith', 'hasAnotherWay', 'isThisParcel', 'vocabulary'],
  // Providers.
  ...[
    'Interrupted',
    'LeftAlone',
    'LineSafe',
    'AudioShelf',
    'WaitingRoom',
    'hairMs',
    'intoOurHands',
    'obey',
    'overheard',
  ],
  ...['correspondent', 'correspondents', 'pardon', 'waitingLine', 'waitingRoom', 'whenDue', 'withPatience'],
  // The store.
  ...['believedAccount', 'bookByHand', 'letPass', 'messageAdrift', 'messageTaken', 'nightPurse', 'smsWays'],
  ...['Hanging', 'Hurdles'],
  // Operations and doors.
  ...[
    'BodyPlace',
    'ChildTold',
    'ChildWord',
    'HeldFiles',
    'Reception',
    'answeredBefore',
    'firstWord',
    'givenBefore',
  ],
  ...[
    'NotYet',
    'hearReceipts',
    'heldTexts',
    'loadList',
    'narrowing',
    'noteVisit',
    'ownTool',
    'pushSafe',
    'sentBefore',
    'smsBefore',
    'strangerOf',
  ],
  ...[
    'AdminDoor',
    'CallAsked',
    'CampaignAsked',
    'DoorLimits',
    'HookDoor',
    'RestDoor',
    'ToolDoor',
    'makeDoors',
  ],
  ...['restDoor', 'toolDoor', 'adminDoor', 'readGiven', 'toolSays', 'AssetWish', 'SmsWish'],
  // Rules, the forecast and the command line.
  ...[
    'Deck',
    'CARDS',
    'addressForPeople',
    'blotted',
    'bury',
    'movedOn',
    'rememberedScript',
    'saysSomething',
    'stretch',
  ],
  ...['CampaignPicture'],
  // Settings, metrics, tables and columns.
  ...['REST_MINUTES', 'ramal_due_lag_seconds', 'ramal_callback_targets_open', 'skips'],
]);

const nameExceptions: readonly Exception[] = [
  {
    in: 'src/engine/recovery/upgradeVersion1Writes.ts',
    stays: /'(?:purse|unborn|takenUp)'|"unborn"/g,
    why: 'lines of older journals',
  },
  {
    in: 'src/config/parseEnvironmentVariable.ts',
    stays: /'REST_MINUTES'/g,
    why: 'the start names the setting that replaced it',
  },
  {
    in: 'machines/',
    stays: /\bparcel\b/g,
    why: 'a key of the event `enqueue`, which inbox rows and histories hold',
  },
  {
    in: 'src/providers/telephony/',
    stays: /\bHEIR_/g,
    why: 'a variable of the dialplan, which operators have installed',
  },
  { in: 'src/store/', stays: /'(?:campaign namesakes|book by hand)'/g, why: 'names of prepared statements' },
  {
    in: 'src/admin/explained/phrases/callPhraseTranslations.ts',
    stays: /\b(?:books|desk)\b/g,
    why: 'a sentence that history of earlier releases has',
  },
  { in: 'src/cli/commands/', stays: /\bssh vault\b/g, why: 'the name of a host in an example' },
  { in: 'src/cli/', stays: /\bskips\b/g, why: 'a local variable: records that were left out, by reason' },
];

/** Names of a text, and of its file, that were given up: their lines, and the name. */
export const formerNames = (file: SourceFile): string[] => {
  if (file.path.endsWith('.md')) return [];
  const names = found(without(file, nameExceptions, true), /[A-Za-z_$][\w$]*/g);
  return [
    ...file.path
      .split('/')
      .map((part) => part.replace(/\.\w+$/, ''))
      .filter(isFormer)
      .map((part) => `${file.path} is named ${part}`),
    ...names
      .filter(({ word }) => isFormer(word))
      .map(({ line, word }) => `${file.path}:${line} names ${word}`),
  ];
};

const isFormer = (name: string): boolean =>
  formerWords.has(name) ||
  /[a-z]Books$/.test(name) ||
  formerPairs.test(name) ||
  name
    .split(/(?=[A-Z])|_|\d/)
    .some((part) => formerParts.has(part.toLowerCase().replace(/(?<=[a-z]{3})s$/, '')));

const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm;

/** Blanks, so that lines keep their numbers. */
const blank = (text: string): string => text.replaceAll(/\S/g, ' ');

const without = ({ path, text }: SourceFile, exceptions: readonly Exception[], code = false): string =>
  exceptions
    .filter((one) => path.startsWith(one.in))
    .reduce(
      (left, { stays }) => left.replaceAll(stays, blank),
      code ? text.replaceAll(comments, blank) : text,
    );

const found = (text: string, pattern: RegExp): { line: number; word: string }[] =>
  text
    .split('\n')
    .flatMap((line, at) => [...line.matchAll(pattern)].map(([word]) => ({ line: at + 1, word })));
