/** How the console is built: `npm run build` writes it to `dist/console`, and the service serves it from there. */
import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { viteStatechartLayoutsPlugin } from './viteStatechartLayoutsPlugin.ts';

export default defineConfig({
  root: import.meta.dirname,
  base: '/admin/',
  publicDir: false,
  plugins: [viteStatechartLayoutsPlugin()],
  // Browsers that know `light-dark()` and `:has()`: 2024 and later.
  build: {
    outDir: resolve(import.meta.dirname, '../../../dist/console'),
    emptyOutDir: true,
    target: ['chrome123', 'firefox121', 'safari17.5'],
    // Nothing is inlined: the pages' policy allows no data addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
