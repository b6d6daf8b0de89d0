import type { CommandRunner, FileSystem, TextSearch } from '../../workspace/ports';

/** How the coding tools reach the world. */
export interface WorkspacePorts {
  readonly fileSystem: FileSystem;
  readonly commandRunner: CommandRunner;
  readonly textSearch: TextSearch;
}
