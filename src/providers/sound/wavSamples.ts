/** How one sample of a WAV is read, by format tag and bits; the answer lies between -1 and 1. */

export type ReadWavSample = (bytes: Buffer, at: number) => number;

const LINEAR = 1;
const FLOAT = 3;
const A_LAW = 6;
const MU_LAW = 7;

/** Undefined: not of a plain kind. */
export const sampleReaderOf = (tag: number, bits: number): ReadWavSample | undefined =>
  readers[`${tag}/${bits}`];

const finite = (value: number): number => (Number.isFinite(value) ? value : 0);

/** The G.711 µ-law: sign, exponent, mantissa, all bits turned round. */
const muLaw = (byte: number): number => {
  const code = ~byte & 0xff;
  const magnitude = ((((code & 0x0f) << 3) + 132) << ((code >> 4) & 7)) - 132;
  return (code & 0x80 ? -magnitude : magnitude) / 32_768;
};

/** The G.711 A-law: every other bit turned round. */
const aLaw = (byte: number): number => {
  const code = byte ^ 0x55;
  const exponent = (code >> 4) & 7;
  const step = ((code & 0x0f) << 4) + 8;
  const magnitude = exponent === 0 ? step : (step + 256) << (exponent - 1);
  return (code & 0x80 ? magnitude : -magnitude) / 32_768;
};

const readers: Readonly<Record<string, ReadWavSample>> = {
  [`${LINEAR}/8`]: (bytes, at) => (bytes[at]! - 128) / 128,
  [`${LINEAR}/16`]: (bytes, at) => bytes.readInt16LE(at) / 32_768,
  [`${LINEAR}/24`]: (bytes, at) => bytes.readIntLE(at, 3) / 2 ** 23,
  [`${LINEAR}/32`]: (bytes, at) => bytes.readInt32LE(at) / 2 ** 31,
  [`${FLOAT}/32`]: (bytes, at) => finite(bytes.readFloatLE(at)),
  [`${FLOAT}/64`]: (bytes, at) => finite(bytes.readDoubleLE(at)),
  [`${A_LAW}/8`]: (bytes, at) => aLaw(bytes[at]!),
  [`${MU_LAW}/8`]: (bytes, at) => muLaw(bytes[at]!),
};
