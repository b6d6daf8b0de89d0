/** A file open for appending. Methods reject with the system's error. */
export interface LogFile {
  /** Appends with one write. Resolves to the number of bytes written, which may be fewer than given. */
  write(bytes: Uint8Array): Promise<number>;
  /** Resolves once everything written is on disk, or at once where the file system cannot sync. */
  sync(): Promise<void>;
  /** Whether the path still leads to this file. It may have been deleted or replaced. */
  isCurrent(): Promise<boolean>;
  /** In bytes. */
  size(): Promise<number>;
  close(): Promise<void>;
}

/** The port from a session log to the disk. */
export interface LogStorage {
  /** Reads the file in pieces. A missing file has none. Rejects for a link, and for anything but a regular file. */
  read(filePath: string): AsyncIterable<Uint8Array>;
  /** Reads the bytes after the first `offset`. Empty when the file is shorter or missing. */
  readFrom(filePath: string, offset: number): Promise<Uint8Array>;
  /**
   * Opens for appending. Creates the file and its folders, readable by their owner only. Rejects for a link, and for
   * anything but a regular file.
   */
  openForAppend(filePath: string): Promise<LogFile>;
}
