/** What is heard: an audio of the account, which can be listened to, or a text. */
import type { JSX } from 'preact';
import { ErrorNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { useFetch } from '../../ui/useRead.ts';
import { useTranslation } from '../../words/index.ts';
import { isolateBidi } from '../../words/isolateBidi.ts';
import { fetchAudios } from './data.ts';
import { Mistaken, mistakenBox } from './fields.tsx';
import { AudioPlayer } from './heard.tsx';
import type { CampaignFormMistake, WhatIsHeard } from './mistakes.ts';

interface ChooseAudioProps {
  account: number;
  heard: WhatIsHeard;
  onHeard(heard: WhatIsHeard): void;
  mistake: CampaignFormMistake | undefined;
}

export const ChooseAudio = ({ account, heard, onHeard, mistake }: ChooseAudioProps): JSX.Element => {
  const say = useTranslation();
  const { answer, failure } = useFetch(String(account), (signal) => fetchAudios(account, signal));
  const audios = answer ?? [];
  const chosen = audios.find(({ cdw_file: id }) => id === heard.audio);
  return (
    <>
      <fieldset class="choice">
        <legend class="vh">{say('whatIsHeard')}</legend>
        {(['text', 'audio'] as const).map((kind) => (
          <label key={kind}>
            <input
              type="radio"
              name="heard"
              checked={heard.kind === kind}
              onChange={() => onHeard({ ...heard, kind })}
            />{' '}
            {say(kind === 'audio' ? 'anAudio' : 'aText')}
          </label>
        ))}
      </fieldset>
      {heard.kind === 'text' && (
        <>
          <label class="f">
            {say('textToSpeak')}
            <textarea
              rows={3}
              maxLength={5_000}
              aria-describedby="text-hint"
              {...mistakenBox('text', mistake)}
              value={heard.text}
              onInput={(event) => onHeard({ ...heard, text: event.currentTarget.value })}
            />
            <Mistaken name="text" mistake={mistake} />
          </label>
          <p id="text-hint" class="hint">
            {say('textHint')}
          </p>
        </>
      )}
      {heard.kind === 'audio' && failure !== undefined && <ErrorNotice error={failure} isPart />}
      {heard.kind === 'audio' && answer && audios.length === 0 && <p class="dim">{say('noAudioYet')}</p>}
      {heard.kind === 'audio' && audios.length > 0 && (
        <label class="f">
          {say('anAudio')}
          <select
            {...mistakenBox('content', mistake)}
            value={heard.audio}
            onChange={(event) => onHeard({ ...heard, audio: event.currentTarget.value })}
          >
            <option value="">{say('noneChosen')}</option>
            {audios.map((one) => (
              <option key={one.cdw_file} value={one.cdw_file}>
                {`${one.cdw_file} ${isolateBidi(one.name || one.file_name)}`}
              </option>
            ))}
          </select>
          <Mistaken name="content" mistake={mistake} />
        </label>
      )}
      {heard.kind === 'audio' && chosen && chosen.url !== '' && (
        <AudioPlayer key={chosen.url} url={chosen.url} name={chosen.name || chosen.cdw_file} />
      )}
    </>
  );
};
