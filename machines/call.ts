/**
 * One call with all its attempts, from the request to its one outcome (spec 4.2).
 *
 * Read from top to bottom: audio, dates and clearance (`call/beforeDial.ts`), the dial (`call/dial.ts`), the
 * conversation (`call/conversation.ts`) with its questions (`call/afterSurveyAnswer.ts`) and its second leg (`call/secondLeg.ts`), and what follows
 * (`call/closingAndRetryStates.ts`). States named as questions are left in the step that enters them.
 */
import * as afterwards from './call/closingAndRetryStates.ts';
import * as beforeDial from './call/beforeDial.ts';
import { initialCallContext } from './call/context.ts';
import * as talk from './call/conversation.ts';
import {
  lookingUpLegState,
  dialingCalleeState,
  strayLegTransitions,
  requestingOtherTrunkState,
} from './call/dial.ts';
import {
  spareLegTransitions,
  returnUnneededMemberTransitions,
  talkingToSecondLegState,
  awaitingSecondLegAnswerState,
} from './call/secondLeg.ts';
import {
  adoptLegsAction,
  noteEndReasonAction,
  giveBackCampaignTurnActions,
  tellCallbackEventAction,
  recordingFinishedActions,
  noteCampaignOverTransition,
  reachMilestoneAction,
  startRecordingActions,
  noteCampaignTurnStageAction,
} from './call/sharedActions.ts';
import { surveyState } from './call/afterSurveyAnswer.ts';
import { callMachineSetup } from './call/setup.ts';

const {
  callStartState: born,
  preparingAudioState: preparing,
  dialDateCheckState: due,
  awaitingScheduledDateState: scheduled,
  awaitingCampaignTurnState: awaitingTurn,
  awaitingDeferredCampaignTurnState: deferred,
  awaitingDialClearanceState: clearing,
  dialPostponedState: postponed,
} = beforeDial;
const {
  closingLegsState: closing,
  awaitingRecordingState: filing,
  afterAttemptDecisionState: settling,
  awaitingRetryState: retrying,
  sendingFollowUpSmsState: texting,
  callEndedState: ended,
} = afterwards;

const answered = callMachineSetup.createStateConfig({
  tags: ['adoptable'],
  initial: 'greeting',
  entry: [
    'noteAnswered',
    'tellAnswered',
    noteCampaignTurnStageAction('up'),
    reachMilestoneAction('answered'),
    ...startRecordingActions('ini'),
    tellCallbackEventAction('answered'),
  ],
  states: {
    greeting: talk.choosingOpeningState,
    detecting: talk.detectingAnsweringMachineState,
    detected: talk.machineDetectionFinishedState,
    leavingMessage: talk.leavingVoicemailState,
    speaking: talk.playingOpeningState,
    heard: talk.openingPlayedState,
    listening: talk.awaitingDigitsState,
    missed: talk.wrongOrMissingDigitState,
    correcting: talk.playingDigitErrorState,
    missedAgain: talk.afterDigitErrorPlayedState,
    acting: talk.playingPromptOfPressedKeyState,
    survey: surveyState,
    recordingAnswer: talk.recordingSpokenAnswerState,
    transferring: awaitingSecondLegAnswerState,
    talking: talkingToSecondLegState,
    unanswered: talk.transferUnansweredState,
    apologising: talk.playingTransferApologyState,
    farewell: talk.farewellDecisionState,
    ending: talk.playingFarewellState,
  },
  on: {
    ...spareLegTransitions,
    hungUp: [{ guard: 'isCallee', target: 'closing', actions: 'noteEnded' }, spareLegTransitions.hungUp],
    takenOver: { actions: adoptLegsAction },
    cancel: { target: 'closing', actions: 'noteCancelled' },
    campaignOver: noteCampaignOverTransition,
  },
  after: { timeLimit: { target: 'closing', actions: noteEndReasonAction('timeLimit') } },
});

export const callStateMachine = callMachineSetup.createMachine({
  id: 'call',
  context: ({ input }) => initialCallContext(input),
  initial: 'born',
  states: {
    born,
    preparing,
    due,
    scheduled,
    awaitingTurn,
    deferred,
    clearing,
    postponed,
    dialing: dialingCalleeState,
    rerouting: requestingOtherTrunkState,
    checking: lookingUpLegState,
    answered,
    closing,
    filing,
    settling,
    retrying,
    texting,
    ended,
  },
  on: {
    ...strayLegTransitions,
    ...returnUnneededMemberTransitions,
    recorded: { guard: 'isRecording', actions: [...recordingFinishedActions] },
    recordFailed: { guard: 'isRecording', actions: 'noteRecorded' },
    cancel: { target: '.settling', actions: 'noteCancelledUndialed' },
    attemptGranted: { actions: ['tellUnused', 'noteUnused'] },
    attemptAwaited: { actions: ['tellHeld', 'noteUnused'] },
    attemptRevoked: { guard: 'isRevoked', actions: [...giveBackCampaignTurnActions] },
    campaignOver: [
      { guard: 'isTried', target: '.settling', actions: 'noteOver' },
      { target: '.settling', actions: 'noteOverUndialed' },
    ],
  },
  options: { maxIterations: 20 },
});
