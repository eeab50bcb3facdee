/** Try it: a call to a simulated telephone on this page, and the machine moving beside it. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { AdminApiRequestError } from '../../api.ts';
import { useTranslation } from '../../words/index.ts';
import { SandboxCallForm } from './form.tsx';
import { Path } from './callSteps.tsx';
import { PhoneInHand } from './phone.tsx';
import { type Act, useSandboxCall, type SandboxCallRequest } from './useSandboxCall.ts';
import { useTryWords } from './useTryWords.ts';

interface Heard {
  text: string;
  isPressed: boolean;
}

export const TryCallPage = (): JSX.Element => {
  const say = useTryWords();
  const sayCommon = useTranslation();
  const call = useSandboxCall();
  const [wanted, setWanted] = useState<SandboxCallRequest>();
  const [heard, setHeard] = useState<readonly Heard[]>([]);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    document.title = `${say('title')} · Ramal`;
  }, [say]);
  useEffect(() => {
    if (call.id !== undefined) return;
    setWanted(undefined);
    setHeard([]);
  }, [call.id]);
  const said = (text: string, isPressed = false): void =>
    setHeard((before) => [...before, { text, isPressed }]);
  useEffect(() => {
    if (call.phone?.state === 'up' && wanted) said(wanted.text);
  }, [call.phone?.state]);
  const sentence = (error: unknown): string =>
    error instanceof AdminApiRequestError && error.status !== 0
      ? error.message
      : sayCommon('errorUnreachable');
  const place = async (next: SandboxCallRequest): Promise<void> => {
    setProblem('');
    setBusy(true);
    try {
      await call.place(next);
      setWanted(next);
      setHeard([]);
    } catch (error) {
      setProblem(sentence(error));
    }
    setBusy(false);
  };
  const act = async (what: Act): Promise<void> => {
    try {
      await call.act(what);
      if (what.do !== 'press') return;
      said(say('pressed', { key: what.key }), true);
      const answer = wanted?.keys?.find(({ key }) => key === what.key);
      if (answer) said(answer.says);
    } catch (error) {
      setProblem(sentence(error));
    }
  };
  return (
    <>
      <div class="head">
        <h1>{say('title')}</h1>
        <p class="lead">{say('lead')}</p>
      </div>
      <div class="try">
        <SandboxCallForm
          isBusy={isBusy || (call.id !== undefined && !call.isOver)}
          problem={problem}
          onCall={(next) => void place(next)}
        />
        <PhoneInHand
          phone={call.phone}
          isElsewhere={call.isElsewhere}
          heard={heard}
          act={(what) => void act(what)}
        />
        <Path id={call.id} entries={call.entries} isOver={call.isOver} />
      </div>
      <After wanted={wanted} />
    </>
  );
};

/** What to do with it next. */
const After = ({ wanted }: { wanted: SandboxCallRequest | undefined }): JSX.Element => {
  const say = useTryWords();
  const { dest = '11987650000', text = say('greeting') } = wanted ?? {};
  const body = JSON.stringify({ dest, text });
  const curl = `curl -s ${location.origin}/api/v2/MakeTTSCall.php \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '${body.replaceAll("'", String.raw`'\''`)}'`;
  return (
    <section aria-labelledby="next">
      <div class="sh">
        <h2 id="next">{say('next')}</h2>
      </div>
      <p class="gap-above">
        <a class="btn" href={wanted ? `/admin/accounts/${wanted.account}` : '/admin/accounts'}>
          {say('nextToken')}
        </a>{' '}
        <span class="dim">{say('nextTokenText')}</span>
      </p>
      <pre class="mono" tabIndex={0}>
        {curl}
      </pre>
      <p>
        <a class="btn" href="/docs" target="_blank" rel="opener">
          {say('nextReference')}
        </a>{' '}
        <span class="dim">{say('nextReferenceText')}</span>
      </p>
    </section>
  );
};
