/** `npm run docs:pictures`: what takes pictures of the console runs as a test does. */
import { defineConfig } from 'vitest/config';
import usual from '../../vitest.config.ts';

export default defineConfig({ test: { ...usual.test, include: ['docs/tools/pictures.ts'] } });
