import { expect, it } from 'vitest';
import { executableKindOf } from '../../src/lib/executable.ts';
import { aWav } from '../helpers/wav.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

it.each([
  ['\x7fELF\x02\x01\x01', 'ELF program'],
  [`MZ\x90\0\x03${'\0'.repeat(100)}`, 'Windows program'],
  ['\xcf\xfa\xed\xfe\x07\0\0\x01', 'Mach-O program'],
  ['\xca\xfe\xba\xbe\0\0\0\x34', 'Java class'],
  ['\0asm\x01\0\0\0', 'WebAssembly program'],
  ['dex\n035\0', 'Android program'],
  ['L\0\0\0\x01\x14\x02\0', 'Windows shortcut'],
  ['#!/bin/sh\nrm -rf /', 'script'],
  ['\xef\xbb\xbf#! /usr/bin/env python3\n', 'script'],
  ['GIF89a<?php system($_GET[0]);', 'PHP script'],
  ['  @echo off\r\ndel *.*', 'batch file'],
])('knows a program by its content: %j', (content, kind) => {
  expect(executableKindOf(bytes(content))).toBe(kind);
});

it.each([
  ['a list', 'phone;name\n11987650000;Ana'],
  ['a list of somebody called MZ', 'MZ;name;phone\n'],
  ['JSON', '[{"phone":"11987650000"}]'],
  ['AMR', '#!AMR\n\x3c'],
  ['an MP3', 'ID3\x04\0\0\0\0\0\x0f'],
  ['nothing', ''],
])('lets %s through', (_, content) => {
  expect(executableKindOf(bytes(content))).toBeUndefined();
});

it('lets a WAV through', () => {
  expect(executableKindOf(aWav(1))).toBeUndefined();
});
