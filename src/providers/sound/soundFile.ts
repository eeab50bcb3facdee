/** A file that is being made. */
export interface SoundFileWriter {
  write(samples: Int16Array): Promise<void>;
  close(): Promise<void>;
}
