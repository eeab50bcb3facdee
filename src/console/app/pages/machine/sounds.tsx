/** What can be heard of a machine: its recording, and what it says and plays. Nothing is fetched before it is played. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AdminApiRequestError, send } from '../../api.ts';
import type { ConsoleStreamMachine, MachineApiAnswer } from '../../data.ts';
import { span } from '../../format.ts';
import { SoundPlayer } from '../../ui/soundPlayer.tsx';
import { useMachineWords, type MachineWord } from './useMachineWords.ts';

export type MachineSound = MachineApiAnswer['sounds'][number];

interface SoundsProps {
  machine: ConsoleStreamMachine;
  record: Readonly<Record<string, unknown>> | null;
  sounds: readonly MachineSound[];
}

export const MachineSounds = ({ machine, record, sounds }: SoundsProps): JSX.Element | null => {
  const say = useMachineWords();
  const isRecorded = Boolean(record?.['recording']);
  const isGone = !isRecorded && typeof record?.['recording_gone_at'] === 'number';
  if (!isRecorded && !isGone && sounds.length === 0) return null;
  return (
    <section aria-labelledby="sounds">
      <div class="sh">
        <h2 id="sounds">{say('sounds')}</h2>
      </div>
      <ul class="sounds">
        {isRecorded && (
          <li>
            <Recording machine={machine} seconds={Number(record?.['recording_seconds'])} />
          </li>
        )}
        {isGone && <li class="dim">{say('recordingGone')}</li>}
        {sounds.map((sound, place) => (
          <li key={place}>
            <MachineSoundPlayer machine={machine} sound={sound} place={place} />
          </li>
        ))}
      </ul>
    </section>
  );
};

const Recording = ({ machine, seconds }: { machine: ConsoleStreamMachine; seconds: number }): JSX.Element => {
  const say = useMachineWords();
  const name = say('recording', { time: span(1_000 * seconds) });
  return (
    <>
      <p>{name}</p>
      <Player path={`${pathOf(machine)}/recording?account=${machine.account}`} name={name} />
      <p class="hint">{say('hearingAudited')}</p>
    </>
  );
};

interface SoundProps {
  machine: ConsoleStreamMachine;
  sound: MachineSound;
  /** Among all of the machine. */
  place: number;
}

/** One thing that a machine says or plays; a text is spoken when it is played. */
export const MachineSoundPlayer = ({ machine, sound: { name, text }, place }: SoundProps): JSX.Element => {
  const say = useMachineWords();
  const [kind = '', number = ''] = name.split(' ');
  const title = say(kind as MachineWord, { number });
  return (
    <>
      <p>
        {title}: {text === '' ? <span class="dim">{say('file')}</span> : <Quoted text={text} />}
      </p>
      <Player path={`${pathOf(machine)}/sounds/${place}?account=${machine.account}`} name={title} />
    </>
  );
};

/** The direction of the text ends before the closing mark. */
const Quoted = ({ text }: { text: string }): JSX.Element => (
  <q>
    <bdi class="foreign">{text}</bdi>
  </q>
);

const pathOf = ({ id }: ConsoleStreamMachine): string => `/machines/${encodeURIComponent(id)}`;

/** `path`: below the admin API. Where nothing comes, its sentence stands in the player's place. */
const Player = ({ path, name }: { path: string; name: string }): JSX.Element => {
  const say = useMachineWords();
  const [problem, setProblem] = useState<string>();
  if (problem !== undefined)
    return (
      <p class="bad" role="alert">
        {problem}
      </p>
    );
  return (
    <SoundPlayer
      src={`/admin/api${path}`}
      label={say('listenTo', { name })}
      onError={() => void whyNotHeard(path).then((why) => setProblem(why ?? say('notHeard')))}
    />
  );
};

/** The sentence with which the service refuses a sound; undefined: it does not. */
const whyNotHeard = async (path: string): Promise<string | undefined> => {
  try {
    await send({ method: 'GET', path });
    return undefined;
  } catch (error) {
    return error instanceof AdminApiRequestError && error.status !== 0 ? error.message : undefined;
  }
};
