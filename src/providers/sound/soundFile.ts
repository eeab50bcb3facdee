/** A file that is being made. */
export interface SoundFile {
  write(samples: Int16Array): Promise<void>;
  close(): Promise<void>;
}
