import { describe, expect, it } from 'vitest';
import type { CallCallback, MessageCallback, VerbatimBodyCallback } from '../../machines/delivery/input.ts';
import { callCallbackEvents, messageCallbackEvents } from '../../machines/contracts/callback.ts';
import { type ForwardedMessage, forwardingDeliveryInput } from '../../src/hooks/incomingMessageCallback.ts';
import type { ChatSenderLine } from '../../src/providers/contracts/chat.ts';
import { formatCallCallbackFields, formatMessageCallbackFields } from '../../src/wire/callbackEvent.ts';
import {
  callEventBodySchema,
  forwardedMessageSchema,
  messageEventBodySchema,
} from '../../src/wire/callbackSchemas.ts';
import { holdToSchema } from '../helpers/answers.ts';

const tenant = { shard: 'a', account: 3 };
const at = Date.parse('2026-03-10T17:30:00Z');
const view = {
  ...{ shard: 'a', zone: 'America/Sao_Paulo', ratePerMinute: 1235n, numtype: '', origin: 'api' },
  mediaUrl: (media: string) => `https://media.example/${media}`,
};

/** Columns of the table `calls`. */
const aCall = {
  requested_at: at - 1_000, destination: '5511987650000', customer_campaign: 'spring', campaign_id: 4, correlation: 'order-17',
  origin: 'crm', status: 'OK', reason: 'completed', answered_by: 'HM', called_at: at, answered_at: at + 7_000, ended_at: at + 37_000,
  attempt: 2, response_1: '12', response_2: '', response_3: '', route: 'sandbox', recording: 'rec-1', recording_seconds: 3,
}; // prettier-ignore

const callEvent = (changes: Partial<CallCallback> = {}): CallCallback => ({
  ...{ what: 'call', url: '', event: 'completed', seq: 3, at: at + 37_500, final: true, id: 741_205_934_080 },
  attempts: 3,
  ...changes,
});

describe('what a status callback says', () => {
  it('of a call: the event, then the record as GetCallStatus writes it', () => {
    expect(formatCallCallbackFields(tenant, callEvent(), aCall, view)).toEqual({
      event: 'completed', event_id: 'evt_a_3_741205934080_3', seq: 3, timestamp: '2026-03-10T17:30:37.500Z', final: true,
      attempt: 2, attempts: 3, cd_id: 'a_741205934080', cd_status: 'OK', cd_amdasw: 'HM', cp_id: 4, cpid: 'spring', ctid: 'order-17',
      origin: 'crm', dest: '5511987650000', date: '2026-03-10', time_dial: '14:30:00', time_start: '14:30:07', time_end: '14:30:37',
      dur: 30, resp_1: '12', resp_2: '', resp_3: '', route: 'sandbox', rate: '0,124', value: '0,062',
      cdr_url: 'https://media.example/rec-1', cdr_sec: 3,
    }); // prettier-ignore
  });

  it('of a call that has not been answered: the text null, and no status before the attempt has ended', () => {
    const record = { ...aCall, status: '', answered_at: null, ended_at: null, recording: '' };
    const said = formatCallCallbackFields(
      tenant,
      callEvent({ event: 'ringing', final: false }),
      record,
      view,
    );
    expect(said).toMatchObject({
      ...{
        event: 'ringing',
        final: false,
        cd_status: '',
        time_start: 'null',
        time_end: 'null',
        route: 'null',
      },
      ...{ dur: 0, rate: '0,000', value: '0,000', cdr_url: '' },
    });
  });

  it('of a campaign: what its list says of whom it called, all six, cut where they are long', () => {
    const placeholders = { nome: 'Ana', cod_cli: 'c-9', extra1: 'x'.repeat(5_000) };
    const said = formatCallCallbackFields(tenant, callEvent({ placeholders }), aCall, view);
    const { name, cod_cli, extra1, extra2, extra3, extra4 } = said as Record<string, string>;
    expect([name, cod_cli, extra1!.length, extra2, extra3, extra4]).toEqual(['Ana', 'c-9', 300, '', '', '']);
    expect(said).toMatchObject({ event: 'completed', cd_id: 'a_741205934080' });
  });

  it('stays under 20 kB, as a form too', () => {
    const long = 'é'.repeat(10_000);
    const placeholders = {
      nome: long,
      cod_cli: long,
      extra1: long,
      extra2: long,
      extra3: long,
      extra4: long,
    };
    const said = formatCallCallbackFields(tenant, callEvent({ placeholders }), aCall, view);
    const form = new URLSearchParams(
      Object.entries(said).map(([key, value]): [string, string] => [key, String(value)]),
    );
    expect(form.toString().length).toBeLessThan(20_000);
  });

  it('of a message: the log without what was said, and the last receipt', () => {
    const record = {
      created_at: at, channel: 'sms', line_id: 0, sender: '29000', destination: '5511987650000', content_type: 'text', body: 'hush',
      payload: '', correlation: 'm-1', related: '', campaign_id: '12', call_id: 'a_9', segments: 1, price: 800, state: 'delivered',
      outcome_code: '0', outcome_text: 'OK', provider_id: 'p-1', raw_answer: 'hush', refunded: false, submitted_at: at,
      acknowledged_at: at, delivered_at: at + 2_000, read_at: null, failed_at: null,
    }; // prettier-ignore
    const event: MessageCallback = {
      ...{
        what: 'message',
        url: '',
        event: 'delivered',
        seq: 1,
        at: at + 2_000,
        final: true,
        id: 55,
        record,
      },
    };
    expect(formatMessageCallbackFields(tenant, event, 'America/Sao_Paulo')).toEqual({
      event: 'delivered', event_id: 'evt_a_3_55_1', seq: 1, timestamp: '2026-03-10T17:30:02.000Z', final: true, attempt: 1, attempts: 1,
      cdls_id: 55, channel: 'sms', line: 0, dest: '5511987650000', from: '29000', mtype: 'text', ctid: 'm-1', msg_id: '', cp_id: '12',
      cd_id: 'a_9', segments: 1, status: 'delivered', status_code: '0', status_text: 'OK', cdls_return_id: 'p-1',
      cdls_status_delivery: 'delivered', cdls_value: '0,080', created: '2026-03-10 14:30:00', updated: '2026-03-10 14:30:02',
    }); // prettier-ignore
    const refused = { ...event, record: { ...record, state: 'failed', refunded: true } };
    expect(formatMessageCallbackFields(tenant, refused, 'America/Sao_Paulo')).toMatchObject({
      cdls_value: '0,000',
    });
  });

  it('is as /openapi.json describes it, whatever happened', () => {
    for (const event of callCallbackEvents)
      holdToSchema(
        callEventBodySchema,
        formatCallCallbackFields(tenant, callEvent({ event, placeholders: { nome: 'Ana' } }), aCall, view),
      );
    holdToSchema(callEventBodySchema, formatCallCallbackFields(tenant, callEvent(), aCall, view));
    const record = {
      ...{
        created_at: at,
        channel: 'sms',
        line_id: 0,
        sender: '',
        destination: '5511987650000',
        content_type: 'text',
      },
      ...{
        body: '',
        payload: '',
        correlation: '',
        related: '',
        campaign_id: '',
        call_id: '',
        segments: 1,
        price: 0,
      },
      ...{
        state: 'failed',
        outcome_code: '0',
        outcome_text: '',
        provider_id: '',
        raw_answer: '',
        refunded: true,
      },
      ...{ submitted_at: null, acknowledged_at: null, delivered_at: null, read_at: null, failed_at: at },
    };
    for (const event of messageCallbackEvents) {
      const told: MessageCallback = {
        what: 'message',
        url: '',
        event,
        seq: 1,
        at,
        final: true,
        id: 55,
        record,
      };
      holdToSchema(messageEventBodySchema, formatMessageCallbackFields(tenant, told, view.zone));
    }
  });

  it('and so is a message from a person', () => {
    const line = { class: 'msgapp', id: 5 } as ChatSenderLine;
    const written = { contact: '5511987650000', name: 'Ana', upstreamId: 'wamid.1', related: '', sentAt: at };
    const attachments = [{ type: 'image', data: 'https://files.example/a.png' }];
    for (const more of [{}, { file: { mimeType: 'image/png', name: 'a.png' } }, { attachments }]) {
      const message = { ...written, type: 'text', text: 'Oi', data: '', ...more } as ForwardedMessage;
      const { subject } = forwardingDeliveryInput({
        line,
        url: 'https://crm.example/in',
        eventId: 'evt_1',
        message,
      });
      holdToSchema(forwardedMessageSchema, JSON.parse((subject as VerbatimBodyCallback).body));
    }
  });
});
