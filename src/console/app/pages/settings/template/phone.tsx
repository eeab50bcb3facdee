/** A template as a phone shows it, while it is written. */
import type { JSX } from 'preact';
import type { FormInputValue } from '../formInput.ts';
import { useSettingsWords } from '../useSettingsWords.ts';
import { templateToPhonePreview, type Run } from './preview.ts';

const textIn = (draft: Readonly<Record<string, FormInputValue>>, name: string): string => {
  const text = draft[name];
  return typeof text === 'string' ? text : '';
};

/** `draft`: the fields of a template as they stand in its form. */
export const TemplatePhonePreview = ({
  draft,
}: {
  draft: Readonly<Record<string, FormInputValue>>;
}): JSX.Element => {
  const say = useSettingsWords();
  const { header, body, footer, buttons } = templateToPhonePreview({
    headerType: textIn(draft, 'cwt_header_type'),
    headerText: textIn(draft, 'cwt_header_text'),
    bodyText: textIn(draft, 'cwt_body_text'),
    footerText: textIn(draft, 'cwt_footer_text'),
    examples: textIn(draft, 'cwt_variables_examples'),
    buttonType: textIn(draft, 'cwt_button_type'),
    buttons: textIn(draft, 'cwt_button_config'),
  });
  return (
    <section class="phone-side" aria-labelledby="phone">
      <div class="sh">
        <h2 id="phone">{say('phone')}</h2>
      </div>
      <div class="phone" role="group" aria-label={say('phoneOf')}>
        <div class="bubble">
          {header.kind === 'media' && <p class="media">{say('mediaHeader', { kind: header.format })}</p>}
          {header.kind === 'text' && (
            <p class="strong foreign">
              <Runs runs={header.runs} />
            </p>
          )}
          <p class="foreign body">{body.length === 0 ? say('noBody') : <Runs runs={body} />}</p>
          {footer !== '' && <p class="hint foreign">{footer}</p>}
          {buttons.map((text, nth) => (
            <p key={nth} class="button foreign">
              {text}
            </p>
          ))}
        </div>
      </div>
    </section>
  );
};

const Runs = ({ runs }: { runs: readonly Run[] }): JSX.Element => (
  <>
    {runs.map(({ text, style }, nth) => (
      <span key={nth} class={style === 'plain' ? undefined : `run-${style}`}>
        {text}
      </span>
    ))}
  </>
);
