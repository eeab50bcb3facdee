/** A template: its form beside what the phone shows, and the history of its review. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AdminRouteAnswer } from '../../../../../admin/client.ts';
import { Mark, type StatusTone } from '../../../ui/mark.tsx';
import { toast } from '../../../ui/toast.tsx';
import { When } from '../../../ui/when.tsx';
import { useStream } from '../../../stream.ts';
import { useAccount } from '../crumbs.tsx';
import type { FormInputValue } from '../formInput.ts';
import type { RecordPanelProps } from '../extras.ts';
import { OperationForm } from '../form.tsx';
import { useSettingsWords } from '../useSettingsWords.ts';
import { TemplatePhonePreview } from './phone.tsx';

type Template = AdminRouteAnswer<'GET /accounts/:account/templates/:template'>;

const feelings: Readonly<Record<string, StatusTone>> = {
  APPROVED: 'good',
  PENDING: 'live',
  IN_APPEAL: 'live',
  REJECTED: 'bad',
  PAUSED: 'warn',
  DISABLED: 'bad',
};

export const TemplateEditor = ({
  place,
  record,
  given,
  zone,
  path,
  onChanged,
  onNews,
}: RecordPanelProps): JSX.Element => {
  const say = useSettingsWords();
  const account = useAccount(place.params['account']);
  // Its review goes on while one looks.
  useStream(
    account && `machine:${account.shard}_${place.params['template']}`,
    { machine: onNews },
    place.params['account'],
  );
  const [draft, setDraft] = useState<Readonly<Record<string, FormInputValue>>>({});
  const { cwt_status: status, cwt_rejection_reason: reason, changes = [] } = record as Partial<Template>;
  const isRejected = status === 'REJECTED';
  return (
    <>
      {isRejected && (
        <p class="state bad">
          <Mark of="bad" />
          <span class="foreign">{say('rejected', { reason: reason || '–' })}</span>
        </p>
      )}
      <div class="cols">
        <section aria-labelledby="change">
          <div class="sh">
            <h2 id="change">{say('change')}</h2>
          </div>
          <OperationForm
            operation={place.resource.change!}
            {...{ path, zone }}
            record={given}
            verb={say('save')}
            busy={say('saving')}
            onDraft={setDraft}
            onDone={() => {
              toast(say('saved'));
              onChanged();
            }}
          />
        </section>
        <TemplatePhonePreview draft={draft} />
      </div>
      <Review changes={changes} zone={zone} />
    </>
  );
};

const Review = ({ changes, zone }: { changes: Template['changes']; zone: string }): JSX.Element => {
  const say = useSettingsWords();
  return (
    <section aria-labelledby="review">
      <div class="sh">
        <h2 id="review">{say('review')}</h2>
      </div>
      {changes.every(({ status }) => status === '') && <p class="dim gap-above">{say('notReviewed')}</p>}
      {changes.length > 0 && (
        <div class="tw" tabIndex={0} role="group" aria-label={say('review')}>
          <table class="stack">
            <thead>
              <tr>
                <th>{say('reviewAt')}</th>
                <th>{say('reviewStatus')}</th>
                <th>{say('reviewBy')}</th>
                <th>{say('reviewReason')}</th>
              </tr>
            </thead>
            <tbody>
              {changes.toReversed().map((change, nth) => (
                <tr key={nth}>
                  <td data-l={say('reviewAt')}>
                    <When at={change.at} zone={zone} />
                  </td>
                  <td data-l={say('reviewStatus')}>
                    <span class="state">
                      <Mark of={feelings[change.status] ?? 'wait'} />
                      {change.status === '' ? say('stored') : <code class="foreign">{change.status}</code>}
                    </span>
                  </td>
                  <td data-l={say('reviewBy')} class="foreign">
                    {change.by}
                  </td>
                  <td data-l={say('reviewReason')} class="foreign">
                    {change.reason}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
};
