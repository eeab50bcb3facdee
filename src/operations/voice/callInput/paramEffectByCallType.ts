/** In which types of call a parameter of MakeTTSCall acts, and if what; as the chart of the call has it (`machines/call`). */
import { allPromptContentSlotNumbers, allPromptTextSlotNumbers } from '../../../rules/voice/promptSlots.ts';
import {
  type ParameterAppliesCondition,
  type ParameterModeTable,
  type Row,
  ignoredParamTableRowBuilders,
  repeatModeRowForParams,
} from '../../ignoredParamWarnings.ts';
import * as see from './paramAppliesPredicates.ts';
import type { CallRequestContext } from './params.ts';

type Name = keyof CallRequestContext['params'];
type If = ParameterAppliesCondition<see.CallRequestFacts>;

const modes = ['0', '2', '3', '22', '100'] as const;
const { always, when, only, nowhere } = ignoredParamTableRowBuilders<
  see.CallRequestFacts,
  (typeof modes)[number]
>(modes);

const playedText: If = {
  if: 'a dtmf action plays it, and no content of its number is given',
  holds: (seen, name) => see.speaksPromptSlot(seen, see.promptSlotNumber(name)),
};
const playedAudio: If = {
  if: 'a dtmf action plays it',
  holds: (seen, name) => see.doesAnyKeyPlayPromptSlot(seen, see.promptSlotNumber(name)),
};
const spoken: If = { if: 'a text is spoken', holds: see.hasSpokenTexts };
const named = (word: string): Row<see.CallRequestFacts> => {
  const cell = naming(word);
  return only({ '0': cell, '2': cell, '3': cell, '22': cell, '100': true });
};
const naming = (word: string): If => ({
  if: 'a text that is spoken or sent names it, or the second leg is an agent or a queue',
  // Of a call that says nothing that is told, and no more.
  holds: (seen) => isSilent(seen) || see.usesPlaceholder(seen, word),
});
const isSilent = ({ params, call }: see.CallRequestFacts): boolean =>
  call.mode !== 'agent' && call.prompts.opening.length === 0 && params.text === undefined;

const asksForKeys: If = {
  if: 'contentdtmf, a dtmf action or sms_action=dtmf1 is given',
  holds: see.asksForKeys,
};
const listens: If = {
  if: 'contentdtmf, dtmfini, a dtmf action or sms_action=dtmf1 is given',
  holds: (seen) => see.asksForKeys(seen) || seen.call.digits.replay !== undefined,
};
/** A key that replays too often is wrong in the end. */
const wrongKey: If = {
  if: 'a dtmf action is given',
  holds: (seen) =>
    see.keyActionsOfCallRequest(seen).length > 0 ||
    (seen.call.digits.replay !== undefined && see.asksForKeys(seen)),
};
const wrongOrUntaken: If = {
  if: 'a dtmf action or dest2 is given',
  holds: (seen) =>
    seen.call.digits.replay !== undefined || see.keyActionsOfCallRequest(seen).length > 0 || hasLeg(seen),
};
const noAction: If = {
  if: 'no dtmf action is given',
  holds: (seen) => see.keyActionsOfCallRequest(seen).length === 0,
};

const hasLeg = (seen: see.CallRequestFacts): boolean => see.secondLegTargets(seen).length > 0;
const keyLeg: If = { if: 'a dtmf action dials a second leg', holds: hasLeg };
const leg: If = { if: 'dest2 is given, or a dtmf action dials a second leg', holds: hasLeg };
/** An agent may hand the call to a queue. */
const waitingLeg: If = {
  if: 'there is a second leg, and fifo is 1 or the leg is a queue (FI) or an agent (RT)',
  holds: (seen) => hasLeg(seen) && (seen.call.waitInLine || see.callRequestReachesAgentOrQueue(seen)),
};
const digitsForLeg: If = {
  if: 'senddtmf is given, and there is a second leg',
  holds: (seen) => hasLeg(seen) && seen.call.sendDigits !== undefined,
};

/** `conf` is the moment of a key that transfers or plays, `pa` that of the second leg; type 22 has its own. */
const moment: If = {
  if: 'the moment of startrec can come: pa needs a second leg, conf a key that transfers or plays',
  holds: (seen) => {
    if (seen.call.recording?.from === 'pa') return hasLeg(seen);
    return seen.call.recording?.from !== 'conf' || isConfirmed(seen);
  },
};
const isConfirmed = (seen: see.CallRequestFacts): boolean =>
  seen.call.mode !== 'agent' &&
  (hasLeg(seen) || see.keyActionsOfCallRequest(seen).some((action) => action.do === 'play'));
const recorded: If = { if: 'rec is given', holds: ({ params }) => params.recordSeconds > 0 };

const keysAreHeard: If = {
  if: 'sms_action is not dtmf1, or text or content is heard before the agent',
  holds: ({ call }) =>
    call.sms?.when !== 'dtmf1' || call.prompts.opening.length > 0 || call.prompts.ask !== undefined,
};
const byDigit: If = { if: 'sms_action is dtmf1', holds: ({ call }) => call.sms?.when === 'dtmf1' };

const told: If = {
  if: 'rurl is given, or the account has a callback address',
  holds: ({ params, call }) => params.callbackUrl !== undefined || call.callback !== undefined,
};
const counted: If = { if: 'cpid is given', holds: ({ params }) => params.customerCampaign !== '' };

const withKeys = { '0': true, '2': true, '3': true } as const;
const onLeg = only({ '0': keyLeg, '2': leg, '3': leg, '100': true });
const sms = only({ ...withKeys, '22': true, '100': keysAreHeard });
const keyNames = (['', 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] as const).map((n) => `dtmf${n}` as const);

const rows: Readonly<Record<Name, Row<see.CallRequestFacts>>> = {
  destination: always,
  text: always,
  ...repeatModeRowForParams(
    allPromptTextSlotNumbers.map((n) => `text${n}` as const),
    only({ '0': playedText, '2': playedText, '3': playedText }),
  ),
  content: always,
  ...repeatModeRowForParams(
    allPromptContentSlotNumbers.map((n) => `content${n}` as const),
    only({ '0': playedAudio, '2': playedAudio, '3': playedAudio }),
  ),
  contentAsk: always,
  contentNoDigit: only({ ...withKeys, '0': asksForKeys }),
  contentWrong: only({ '0': wrongKey, '2': true, '3': wrongOrUntaken, '100': true }),
  contentEnd: always,
  voice: when(spoken),
  encoding: always,
  brazil: always,
  callerId: always,
  correlation: always,
  customerCampaign: always,
  duplicateWindow: always,
  name: named('nome'),
  extra1: named('extra1'),
  extra2: named('extra2'),
  extra3: named('extra3'),
  extra4: named('extra4'),
  customerCode: named('cod_cli'),
  type: always,
  digits: only({ ...withKeys, '0': asksForKeys }),
  digitSeconds: only({ ...withKeys, '0': listens }),
  confirmDigit: only({ '2': true }),
  initialDigit: always,
  ...repeatModeRowForParams(keyNames, only(withKeys)),
  secondLeg: only({ '2': true, '3': noAction }),
  wait: onLeg,
  waitSeconds: only({ '0': waitingLeg, '2': waitingLeg, '3': waitingLeg, '100': true }),
  sendDigits: onLeg,
  sendDigitsAfter: only({ '0': digitsForLeg, '2': digitsForLeg, '3': digitsForLeg, '100': digitsForLeg }),
  recordSeconds: only({ '0': moment, '2': moment, '3': moment, '22': true, '100': moment }),
  recordFrom: { ...only({ '0': recorded, '2': recorded, '3': recorded, '100': recorded }), usual: 'ini' },
  repeat: always,
  priority: always,
  block: always,
  ringSeconds: always,
  limitSeconds: always,
  answerSeconds: nowhere('no carrier of this release takes sound for an answer'),
  smsAction: sms,
  smsText: sms,
  smsDigit: { ...when(byDigit), usual: '1' },
  free: always,
  machineAudio: always,
  music: onLeg,
  callbackUrl: always,
  callbackEvents: when(told),
  numberLimit: when(counted),
  audioLimit: when(counted),
  regionalWindow: always,
  fixedRoutes: always,
};

export const callParameterModes: ParameterModeTable<see.CallRequestFacts> = {
  ...{ by: 'type', modes, rows },
  missing: [
    {
      mode: '2',
      isMissing: ({ call }) => call.transfer === undefined,
      description:
        'type 2 without dest2: the key that confirms ends the call, as there is no number to transfer to',
    },
    {
      mode: '3',
      isMissing: (seen) => seen.call.transfer === undefined && see.keyActionsOfCallRequest(seen).length === 0,
      description: 'type 3 without dest2 and without a dtmf action: any key ends the call',
    },
  ],
};
