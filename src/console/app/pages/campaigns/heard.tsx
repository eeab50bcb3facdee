/** What is heard: a player for a sound of this service, or the text that is spoken. */
import type { JSX } from 'preact';
import { SoundPlayer } from '../../ui/soundPlayer.tsx';
import { useTranslation } from '../../words/index.ts';
import type { CampaignWithFigures } from './data.ts';

/** Files are fetched from where this page came from: its policy allows no other place. */
const ownAddress = (url: string): string => {
  const { pathname, search } = new URL(url, location.href);
  return pathname + search;
};

export const AudioPlayer = ({ url, name }: { url: string; name: string }): JSX.Element => {
  const say = useTranslation();
  return <SoundPlayer src={ownAddress(url)} label={say('listenTo', { name })} />;
};

export const CampaignAudioPreview = ({ campaign }: { campaign: CampaignWithFigures }): JSX.Element | null => {
  const say = useTranslation();
  if (campaign.heard.length === 0) return null;
  return (
    <section aria-labelledby="h-heard">
      <div class="sh">
        <h2 id="h-heard">{say('heardFirst')}</h2>
      </div>
      {campaign.heard.map(({ text, url }) =>
        url === '' ? (
          <p key={text} class="gap-above">
            <span class="dim">{say('spokenForEach')}</span> <q class="foreign">{text}</q>
          </p>
        ) : (
          <p key={url} class="gap-above">
            <AudioPlayer url={url} name={campaign.name} />
          </p>
        ),
      )}
    </section>
  );
};
