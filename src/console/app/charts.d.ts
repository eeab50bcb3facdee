/** What `viteStatechartLayoutsPlugin.ts` makes when the pages are built. */
declare module 'virtual:charts' {
  /** By kind and version: `call.1`. */
  const charts: Readonly<
    Record<
      string,
      (() => Promise<{ default: import('../statechart/layoutTypes.ts').StatechartLayout }>) | undefined
    >
  >;
  export default charts;
}
declare module 'virtual:chart.css' {}
