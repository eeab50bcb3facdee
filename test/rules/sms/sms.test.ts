import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { looksLikeABank, matchesApprovedText } from '../../../src/rules/sms/bankImpersonationFilter.ts';
import { smsNightWindowAt } from '../../../src/rules/sms/quietHours.ts';
import { segmentSms } from '../../../src/rules/sms/smsEncoding.ts';
import { readSmsNumber } from '../../../src/rules/sms/smsNumber.ts';
import {
  countCharacters,
  composeSmsTextToNfc,
  cutToSmsTextLimit,
  stripAccents,
} from '../../../src/rules/sms/smsText.ts';

const sizes = (text: string) => {
  const { encoding, parts } = segmentSms(text);
  return [encoding, ...parts.map((part) => part.length)];
};

describe('segments', () => {
  test.each([
    ['a'.repeat(160), ['gsm', 160]],
    ['a'.repeat(161), ['gsm', 153, 8]],
    ['é'.repeat(160), ['gsm', 160]],
    ['a'.repeat(307), ['gsm', 153, 153, 1]],
    ['ã'.repeat(70), ['ucs2', 70]],
    ['ã'.repeat(71), ['ucs2', 67, 4]],
    ['ç', ['ucs2', 1]],
    ['Ç', ['gsm', 1]],
    ['', ['gsm', 0]],
  ])('of %j', (text, expected) => expect(sizes(text)).toEqual(expected));

  test('a character of the extension table takes two places, and its escape stays with it', () => {
    expect(sizes('€'.repeat(80))).toEqual(['gsm', 80]);
    expect(sizes(`${'a'.repeat(152)}€${'b'.repeat(8)}`)).toEqual(['gsm', 152, 9]);
  });
  test('a surrogate pair is not torn apart', () => {
    expect(sizes(`${'ã'.repeat(66)}😀${'b'.repeat(5)}`)).toEqual(['ucs2', 66, 7]);
  });
  test('carry the whole text, none too much', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 400 });
    fc.assert(
      fc.property(texts, (text) => {
        const { encoding, parts } = segmentSms(text);
        expect(parts.join('')).toBe(text);
        if (encoding === 'ucs2' && parts.length > 1)
          for (const part of parts) expect(part.length).toBeLessThanOrEqual(67);
      }),
    );
  });
});

describe('the limit of a text', () => {
  test('counts characters as they are composed', () => {
    expect(countCharacters(composeSmsTextToNfc('e\u0301'.repeat(160)))).toBe(160);
    expect(countCharacters('😀')).toBe(1);
  });
  test('cuts between what a reader sees as one', () => {
    expect(cutToSmsTextLimit('x'.repeat(200))).toHaveLength(160);
    const family = '👨‍👩‍👧';
    expect(cutToSmsTextLimit(`${'x'.repeat(157)}${family}`)).toBe('x'.repeat(157));
    expect(cutToSmsTextLimit(`${'x'.repeat(155)}${family}y`)).toBe(`${'x'.repeat(155)}${family}`);
    expect(cutToSmsTextLimit('short')).toBe('short');
  });
  test('holds nobody up with a long row of accents', () => {
    // Put into order as a whole, it would take minutes.
    const row = `a${'\u0300\u0316'.repeat(500_000)}b`;
    expect(countCharacters(composeSmsTextToNfc(row))).toBeGreaterThan(160);
    expect(stripAccents(row)).toBe('ab');
    expect(cutToSmsTextLimit(composeSmsTextToNfc(row))).toBe('');
    expect(composeSmsTextToNfc('e\u0301'.repeat(160))).toBe('é'.repeat(160));
  });
});

describe('the number of an SMS', () => {
  const brazilian = (input: string) => readSmsNumber(input, { brazil: true });
  const asItStands = (input: string) => readSmsNumber(input, { brazil: false });

  test.each(['011987654321', '11987654321', '5511987654321', '+55 (11) 98765-4321', '1187654321'])(
    '%s is completed',
    (input) => expect(brazilian(input)).toEqual({ number: '5511987654321' }),
  );
  test.each([
    '1134567890',
    '20987654321',
    '08007654321',
    '40041234',
    '12',
    'ana',
    '+14155552671',
    '119876543210',
  ])('%s is refused', (input) => expect(brazilian(input)).toHaveProperty('refused'));
  test('without setbrasil is taken digit by digit', () => {
    expect(asItStands('14155552671')).toEqual({ number: '14155552671' });
    expect(asItStands('5511987654321')).toEqual({ number: '5511987654321' });
    expect(asItStands('551134567890')).toHaveProperty('refused');
    expect(asItStands('999')).toHaveProperty('refused');
  });
});

describe('the night', () => {
  const zone = 'America/Sao_Paulo';
  const at = (text: string) => Date.parse(`${text}-03:00`);
  test.each([
    ['2026-11-20T21:59:59', undefined],
    ['2026-11-20T22:00:00', '2026-11-20'],
    ['2026-11-21T05:59:59', '2026-11-20'],
    ['2026-11-21T06:00:00', undefined],
  ])('at %s', (time, date) => expect(smsNightWindowAt(at(time), zone)?.date).toBe(date));
  test('begins at ten and ends at six on the wall clock of the zone', () => {
    const night = smsNightWindowAt(at('2026-11-21T01:00:00'), zone)!;
    expect(night).toEqual({
      date: '2026-11-20',
      startsAt: at('2026-11-20T22:00:00'),
      endsAt: at('2026-11-21T06:00:00'),
    });
    expect(smsNightWindowAt(at('2026-11-21T01:00:00'), 'Asia/Tokyo')).toBeUndefined();
  });
});

describe('the filter of impersonation', () => {
  test.each([
    'Bradesco: acesse www.seguro.com.br',
    'BRADESCO informa: ligue 0800 570 0011',
    'Itaú: token expira. bit.ly/abc',
    'ltaú informa: acesse itau-token.xyz',
    'I.T.A.U alerta https://x.io',
    'Nubаnk: regularize em nubank.seg.br/conta',
    'N\u200bubank: hxxp://a.b',
    'Banco do Brasil: seu cadastro expira, ligue (11) 4004-0001',
    'Sua conta Inter foi bloqueada. Ligue 11 98765-4321',
    'Santander: compra de R$ 900. Nao reconhece? Ligue 08OO 123 4567',
    'C6 Bank: fale no 3003-6116',
    'BradescoPrime: wa.me/5511987654321',
    'Caixa Economica [.] acesse caixa[.]com',
  ])('is met by %j', (text) => expect(looksLikeABank(text)).toBe(true));

  test.each([
    'Seu boleto do Bradesco vence hoje',
    'Sua encomenda chegou: www.loja.com.br',
    'Caixa postal cheia, ligue 11 98765-4321',
    'Jogo do Inter hoje em inter.com.br',
    'Santander 20/11/2026 as 10:30 valor 1.234,56',
    'Reuniao no Itaim, sala 4. Confirme pelo 11 98765-4321',
    'Nubank: pedido recebido.Obrigado',
  ])('lets %j pass', (text) => expect(looksLikeABank(text)).toBe(false));

  test('is passed by a model from the first to the last character, * standing for anything', () => {
    const model = 'Itaú: *, sua fatura de R$ * vence em *. Detalhes em itau.com.br';
    expect(
      matchesApprovedText('ITAU: Ana,  sua fatura de R$ 9,90 vence em 20/11. detalhes em itau.com.br', model),
    ).toBe(true);
    expect(
      matchesApprovedText('Itaú: Ana, sua fatura de R$ 9 vence em 20/11. Detalhes em itau.com.br/x', model),
    ).toBe(false);
    expect(
      matchesApprovedText('Oi. Itaú: Ana, sua fatura de R$ 9 vence em 1. Detalhes em itau.com.br', model),
    ).toBe(false);
    expect(
      matchesApprovedText('Itаú: a, sua fatura de R$ 9 vence em 1. Detalhes em itau.com.br', model),
    ).toBe(false);
    expect(matchesApprovedText('aba', 'ab*ba')).toBe(false);
    expect(matchesApprovedText('abba', 'ab*ba')).toBe(true);
    expect(matchesApprovedText('anything', '*')).toBe(true);
    expect(matchesApprovedText('a', 'b')).toBe(false);
  });
});
