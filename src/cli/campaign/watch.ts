/** Follows a campaign to its end: looks every second, and asks less often why and until when. */
import { setTimeout as pause } from 'node:timers/promises';
import { openTerminalCanvas } from '../canvas.ts';
import { idOf, type CommandContext } from '../commandActionWrapper.ts';
import type { CommandOutput } from '../output.ts';
import { fetchAccountTimeZoneFromService } from '../times.ts';
import { createPaceMeter } from './pace.ts';
import {
  campaignProgressLine,
  drawCampaignProgressView,
  held,
  type CampaignProgressView,
  campaignSummaryLines,
} from './formatCampaignProgress.ts';
import {
  fetchCampaignEndForecast,
  type CampaignBlocker,
  readCampaignBlockers,
  hasCampaignEnded,
  type CampaignAndMachineIds,
  locateCampaign,
  type CampaignProgress,
  readCampaignProgress,
} from './readCampaignProgress.ts';

const lookMs = 1_000;
const explainMs = 5_000;
/** A forecast is a process of the service and may take seconds. */
const forecastMs = 30_000;

/** 1 when it expired or failed. */
export const watchCampaign = async (
  job: CommandContext,
  id: number,
  { account }: { account?: string },
): Promise<0 | 1> => {
  const { client, out } = job;
  const given = account ?? job.shell.env['RAMAL_ACCOUNT'];
  const place = await locateCampaign(client, id, given === undefined ? undefined : idOf(given, 'an account'));
  const zone = await fetchAccountTimeZoneFromService(client, place.account);
  const look = lookingAt(job, place, zone);
  if (!out.live) out.say(`Times are those of ${zone}.`);
  const show = out.live ? showDrawn(out) : showChanges(out);
  let view = await look();
  for (; !hasCampaignEnded(view.standing); view = await look()) {
    show(view);
    await pause(lookMs);
  }
  show(view);
  out.tell({ over: true, ...documentOf(view), skipped_by_reason: view.standing.skipped_by_reason });
  out.say('', ...campaignSummaryLines(view));
  return ['completed', 'limitReached'].includes(view.standing.state) ? 0 : 1;
};

/** What it looks like now. The forecast is made beside; the last one counts until there is another. */
const lookingAt = (
  { client }: CommandContext,
  place: CampaignAndMachineIds,
  zone: string,
): (() => Promise<CampaignProgressView>) => {
  const pace = createPaceMeter();
  let blockers: readonly CampaignBlocker[] = [];
  let overAt: number | undefined;
  const isDueToExplain = every(explainMs);
  const isDueToForecast = every(forecastMs);
  return async () => {
    const standing = await readCampaignProgress(client, place);
    const at = Date.now();
    pace.count(standing.made, at);
    if (isDueToExplain(standing.phase, at)) blockers = await readCampaignBlockers(client, place);
    if (standing.state === 'active' && isDueToForecast(standing.state, at))
      void fetchCampaignEndForecast(client, place).then((moment) => (overAt = moment ?? overAt));
    const isGoing = standing.state === 'active';
    return {
      standing,
      perMinute: isGoing ? pace.perMinute() : undefined,
      overAt: isGoing ? overAt : undefined,
      blockers: hasCampaignEnded(standing) ? [] : blockers,
      zone,
      at,
    };
  };
};

/** True at the first time, after so long, and whenever the word is another. */
const every = (ms: number): ((word: string, at: number) => boolean) => {
  let last: { word: string; at: number } | undefined;
  return (word, at) => {
    if (last && last.word === word && at - last.at < ms) return false;
    last = { word, at };
    return true;
  };
};

const showDrawn = (out: CommandOutput): ((view: CampaignProgressView) => void) => {
  const canvas = openTerminalCanvas(out.draw);
  return (view) => canvas.draw(drawCampaignProgressView(view, { paint: out.paint, width: out.columns - 1 }));
};

const showChanges = (out: CommandOutput): ((view: CampaignProgressView) => void) => {
  let before = '';
  let heldBefore = '';
  return (view) => {
    const counted = countedOf(view.standing);
    const holding = view.blockers.map(({ rule, until }) => `${rule} ${until ?? ''}`).join();
    if (counted === before && holding === heldBefore) return;
    if (counted !== before) out.say(campaignProgressLine(view));
    if (holding !== heldBefore) out.say(...held(view));
    out.tell(documentOf(view));
    before = counted;
    heldBefore = holding;
  };
};

const countedOf = ({ state, phase, made, answered, ended }: CampaignProgress): string =>
  [state, phase, made, answered, ended].join();

/** A line for scripts. */
const documentOf = ({ standing, perMinute, overAt, blockers, at }: CampaignProgressView) => {
  const { cp_id, name, state, phase, destinations, made, answered, transferred, skipped, ended, reason } =
    standing;
  return {
    ...{ at, cp_id, name, state, phase, destinations, made, answered, transferred, skipped, ended, reason },
    calls_per_minute: perMinute ?? null,
    over_at: overAt ?? null,
    blockers,
  };
};
