import { execFile } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../../scripts/projectRoot';
import { packSdk } from '../../../scripts/sdkPackage/packSdk';
import { createTemporaryFolder, type TemporaryFolder } from '../files/temporaryFolder';

const run = promisify(execFile);

/** A package of this repository, by the name that it has in a project: `{ zod: 'zod3' }`. */
type Links = Readonly<Record<string, string>>;

interface CompilerOptions {
  readonly resolution: 'nodenext' | 'bundler';
  /** Packages of types that apply everywhere: `node`. */
  readonly types?: readonly string[] | undefined;
  /** Further libraries of the compiler: `dom`. */
  readonly libs?: readonly string[] | undefined;
}

/** Empty projects with the packed SDK in them. */
export class SdkProjects implements AsyncDisposable {
  /** The packed file. */
  readonly tarball: string;
  /** The unpacked package. */
  readonly installed: string;
  readonly #folder: TemporaryFolder;
  #count = 0;

  private constructor(folder: TemporaryFolder, tarball: string) {
    this.#folder = folder;
    this.tarball = tarball;
    this.installed = path.join(folder.path, 'package');
  }

  static async create(): Promise<SdkProjects> {
    const folder = await createTemporaryFolder();
    const projects = new SdkProjects(folder, await packSdk(folder.path));
    await run('tar', ['-xzf', projects.tarball, '-C', folder.path]);
    return projects;
  }

  /**
   * A new project with the SDK and its dependency. `links` are further packages. Packages are linked, because installing
   * them needs a network.
   */
  async add(links: Links = {}): Promise<SdkProject> {
    const project = path.join(this.#folder.path, `project-${++this.#count}`);
    const modules = path.join(project, 'node_modules');
    await mkdir(modules, { recursive: true });
    await cp(this.installed, path.join(modules, 'open-agent-sdk'), { recursive: true });
    for (const [name, own] of Object.entries({ openai: 'openai', ...links })) {
      await mkdir(path.dirname(path.join(modules, name)), { recursive: true });
      await symlink(path.join(projectRoot, 'node_modules', own), path.join(modules, name));
    }
    return new SdkProject(project);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#folder.dispose();
  }
}

export class SdkProject {
  readonly path: string;

  constructor(folder: string) {
    this.path = folder;
  }

  async write(file: string, text: string): Promise<void> {
    const target = path.join(this.path, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
  }

  /**
   * Compiles a file as strictly as the compiler can, declarations included. Without `types` and further `libs` no types of a
   * platform are known, not even of a browser. Rejects with the compiler's errors.
   */
  async compile(file: string, options: CompilerOptions): Promise<void> {
    const errors = await this.errorsOf([file], options);
    if (errors !== '') throw new Error(errors);
  }

  /** The compiler's errors in some files, as it prints them. */
  async errorsOf(files: readonly string[], { resolution, types = [], libs = [] }: CompilerOptions): Promise<string> {
    const compiler = path.join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
    const module = resolution === 'nodenext' ? 'nodenext' : 'esnext';
    const modules = ['--module', module, '--moduleResolution', resolution];
    const strict = [
      '--strict',
      '--exactOptionalPropertyTypes',
      '--noUncheckedIndexedAccess',
      '--skipLibCheck',
      'false',
    ];
    const platform = ['--target', 'es2022', '--lib', ['es2023', ...libs].join(','), '--types', types.join(',')];
    const args = ['--noEmit', ...strict, ...platform, ...modules, ...files];
    const asked = run(process.execPath, [compiler, ...args], { cwd: this.path, maxBuffer: 50_000_000 });
    return asked.then(
      () => '',
      (error: { readonly stdout: string; readonly stderr: string }) =>
        error.stdout || error.stderr || 'The compiler failed.',
    );
  }

  /** Runs a file in plain Node. Resolves to its output. */
  run(file: string, ...args: readonly string[]): Promise<string> {
    return this.runWith(process.execPath, file, ...args);
  }

  /** Runs a file in another Node, given by the path of its program. */
  async runWith(node: string, file: string, ...args: readonly string[]): Promise<string> {
    return (await this.runFor(node, file, ...args)).stdout;
  }

  /** As `runWith`, with both outputs. */
  runFor(
    node: string,
    file: string,
    ...args: readonly string[]
  ): Promise<{ readonly stdout: string; readonly stderr: string }> {
    return run(node, [file, ...args], { cwd: this.path });
  }
}
