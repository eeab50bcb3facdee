/** What can be done to a campaign: started, paused, gone on with, closed, its results taken, its unanswered called again. */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { goUnlessLeft } from '../../pageAddressStore.ts';
import { AdminApiRequestError, signedInAdministratorStore } from '../../api.ts';
import { language } from '../../browserPreferences.ts';
import { useStore } from '../../store.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { useTranslation } from '../../words/index.ts';
import {
  type CampaignWithFigures,
  changeCampaign,
  closeCampaign,
  campaignResultsUrl,
  createCampaignForUnanswered,
} from './data.ts';
import { isCampaignNotStarted, isCampaignFinished } from './phase.ts';

type Act = 'start' | 'pause' | 'resume' | 'close' | 'retry';

/** Those that did not answer, as far as it is known now. */
const unansweredOf = ({ figures }: CampaignWithFigures): number =>
  Object.entries(figures.outcomes).reduce(
    (sum, [name, count]) => sum + (name === 'answered' || name === 'machine' ? 0 : count),
    0,
  );

export const Acts = ({
  campaign,
  onDone,
}: {
  campaign: CampaignWithFigures;
  onDone(): void;
}): JSX.Element => {
  const say = useTranslation();
  const who = useStore(signedInAdministratorStore);
  const [open, setOpen] = useState<Act>();
  const mayChange = typeof who === 'object' && who.role === 'admin';
  const button = (act: Act, text: string, look = ''): JSX.Element => (
    <button
      type="button"
      class={`btn ${look}`}
      disabled={!mayChange}
      title={mayChange ? undefined : say('onlyAdministrator')}
      onClick={() => setOpen(act)}
    >
      {text}
    </button>
  );
  const shown = useStore(language);
  const over = isCampaignFinished(campaign);
  const close = (): void => setOpen(undefined);
  return (
    <span class="acts">
      {!over && !campaign.model && campaign.active && button('pause', say('cpPause'))}
      {!over && isCampaignNotStarted(campaign) && button('start', say('startNow'), 'primary')}
      {!over &&
        !campaign.active &&
        !isCampaignNotStarted(campaign) &&
        button('resume', say('cpResume'), 'primary')}
      {!over && !isCampaignNotStarted(campaign) && button('close', say('closeCampaign'), 'danger')}
      {unansweredOf(campaign) > 0 && button('retry', say('retryUnanswered'))}
      {campaign.made > 0 && (
        <a class="btn" href={campaignResultsUrl(campaign, shown)} download>
          {say(over ? 'cpResults' : 'cpResultsSoFar')}
        </a>
      )}
      {open && open !== 'retry' && <Confirm campaign={campaign} act={open} onClose={close} onDone={onDone} />}
      {open === 'retry' && <Retry campaign={campaign} onClose={close} />}
    </span>
  );
};

/** Does it; what went wrong is said in the dialog. */
const useDoing = (onClose: () => void) => {
  const say = useTranslation();
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const act = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await work();
      onClose();
    } catch (error) {
      setProblem(
        error instanceof AdminApiRequestError && error.status !== 0 ? error.message : say('errorUnreachable'),
      );
      setBusy(false);
    }
  };
  return { act, problem, isBusy };
};

interface ConfirmProps {
  campaign: CampaignWithFigures;
  act: Exclude<Act, 'retry'>;
  onClose(): void;
  onDone(): void;
}

const Confirm = ({ campaign, act, onClose, onDone }: ConfirmProps): JSX.Element => {
  const say = useTranslation();
  const doing = useDoing(onClose);
  const { name } = campaign;
  const left = campaign.destinations - campaign.made;
  const words = {
    start: [
      say('startTitle', { name }),
      say('startText', { count: campaign.destinations }),
      say('startDo', { count: campaign.destinations }),
      say('cpStarted', { name }),
    ],
    pause: [say('pauseTitle', { name }), say('pauseText'), say('pauseDo'), say('cpPaused')],
    resume: [
      say('resumeTitle', { name }),
      say('startText', { count: left }),
      say('cpResume'),
      say('cpResumed', { name }),
    ],
    close: [
      say('closeTitle', { name }),
      say('closeText', { count: left }),
      say('closeDo'),
      say('cpClosed', { name }),
    ],
  } as const;
  const [title, text, deed, done] = words[act];
  const work = async (): Promise<void> => {
    if (act === 'close') await closeCampaign(campaign);
    else await changeCampaign(campaign, { active: act !== 'pause' });
    toast(done);
    onDone();
  };
  return (
    <Ask
      title={title}
      deed={deed}
      isDangerous={act === 'close'}
      doing={doing}
      onClose={onClose}
      onDo={() => void doing.act(work)}
    >
      <p>{text}</p>
    </Ask>
  );
};

interface AskProps {
  title: string;
  deed: string;
  isDangerous?: boolean;
  doing: ReturnType<typeof useDoing>;
  onClose(): void;
  onDo(): void;
  children: ComponentChildren;
}

const Ask = ({ title, deed, isDangerous, doing, onClose, onDo, children }: AskProps): JSX.Element => {
  const say = useTranslation();
  return (
    <Dialog label={title} onClose={onClose}>
      <form
        class="dlg"
        onSubmit={(submit) => {
          submit.preventDefault();
          onDo();
        }}
      >
        <h2 class="foreign">{title}</h2>
        {children}
        <p class="hint">{say('eventAudited')}</p>
        {doing.problem !== '' && (
          <p class="bad foreign" role="alert">
            {doing.problem}
          </p>
        )}
        <div class="acts">
          <button type="button" class="btn" onClick={onClose}>
            {say('cancel')}
          </button>
          <button type="submit" class={isDangerous ? 'btn danger' : 'btn primary'} disabled={doing.isBusy}>
            {deed}
          </button>
        </div>
      </form>
    </Dialog>
  );
};

const Retry = ({ campaign, onClose }: { campaign: CampaignWithFigures; onClose(): void }): JSX.Element => {
  const say = useTranslation();
  const doing = useDoing(onClose);
  const [name, setName] = useState(`${campaign.name} 2`);
  const work = async (): Promise<void> => {
    const goOn = goUnlessLeft();
    const made = await createCampaignForUnanswered(campaign, name);
    goOn(`/admin/campaigns/${made.cp_id}`);
  };
  return (
    <Ask
      title={say('retryTitle')}
      deed={say(campaign.retries.length === 0 ? 'retryDo' : 'retryAnother')}
      doing={doing}
      onClose={onClose}
      onDo={() => void doing.act(work)}
    >
      <RetriesMade retries={campaign.retries} />
      <p>{say('retryText', { count: unansweredOf(campaign) })}</p>
      <label class="f">
        {say('nameOfCampaign')}
        <input
          type="text"
          maxLength={200}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
    </Ask>
  );
};

/** Another retry calls the same people once more: those that were made stand first. */
const RetriesMade = ({ retries }: Pick<CampaignWithFigures, 'retries'>): JSX.Element | null => {
  const say = useTranslation();
  if (retries.length === 0) return null;
  return (
    <>
      <p class="warn">{say('retryMade')}</p>
      <ul>
        {retries.map(({ cp_id: id, name }) => (
          <li key={id}>
            <a class="link foreign" href={`/admin/campaigns/${id}`}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
};
