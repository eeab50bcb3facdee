// Loaded before the service (`node --import`): signals do to it what nothing known does.
process.on('SIGUSR2', () => {
  setImmediate(() => {
    throw new Error('thrown under nobody');
  });
});
process.on('SIGWINCH', () => {
  void Promise.reject({ refused: 'unheard' });
});
