import { itRefuses, type RefusedEdit } from '../../../../support/edits/oneEdit';

describe('an edit whose new text alone is written in another way', () => {
  const refused: readonly RefusedEdit[] = [
    [
      'whose new text alone is a changed line of prose behind the sign of a diff, where the file has a list elsewhere',
      'a\n+ b\nc\n\n提供以上案例的可运行代码，[戳这里](http://j.net/L7/).\n',
      '提供以上案例的可运行代码，[戳这里](http://j.net/L7/).\n',
      '+ 提供以上案例的可运行代码请[移步这里](https://j.net/L7/)。\n',
    ],
    [
      'whose new text alone is prose behind a quote sign, as deep as the old text',
      '* a\n  it is b.\n',
      '  it is b.\n',
      '>  we are c.\n',
    ],
    [
      'whose new text alone is deeper than the whole text of a page',
      '# a [b](c)\n\n[d](e)\n\n> Sync it.\n\n## f\n',
      '# a [b](c)\n\n[d](e)\n\n> Sync it.\n\n',
      '\t# A\n\n\t[g](h)\n\t[i](j)\n\n\tSync All.\n\n\t[d](e)\n\n',
    ],
    [
      'whose new text alone is a kept line with its brackets as entities, beside others of the file',
      '<h4>a</h4>\n<pre>public&nbsp;void&nbsp;a(int&nbsp;b)</pre>\n<dl>\n<dd>2.9</dd>\n</dl>\n</li>\n',
      '<pre>public&nbsp;void&nbsp;a(int&nbsp;b)</pre>\n<dl>\n<dd>2.9</dd>\n</dl>\n',
      '&lt;pre&gt;public&nbsp;void&nbsp;a(int&nbsp;b)&lt;/pre&gt;\n',
    ],
    [
      'whose new text alone doubles the backslash of a command, where the file has others doubled',
      '\\name{a}\n\\title{Make b, c as d}\n\\e{f \\\\ g}\n',
      '\\title{Make b, c as d}\n',
      '\\\\title{Do b with a function}\n',
    ],
    [
      'whose new text alone is a line of code in quotation marks',
      'extern crate b;\n\nuse b::B;\n',
      'extern crate b;',
      "'#![deny(w, r)]'",
    ],
    [
      'whose new text alone is a line of code behind a quote sign',
      "# a\n\nrequire 'tty'\n\nc = d\ne\nf\n",
      "require 'tty'",
      '> load_relative "../lib/y"',
    ],
    [
      'whose new text alone has three quotation marks around it, where the old text begins with one',
      'x\n"@b/c@1":\n  version "7"\n  d:\n    e\n',
      '"@b/c@1":\n  version "7"\n  d:\n',
      '""""@a/b@2":\n  version "0"\n\n"@b/c@1":\n  version "8"\n  d:\n"""',
    ],
    [
      'whose new text alone is a JSON string, where the old text is strings too',
      '"R: a\\n"\n"D: b\\n"\n"L: c\\n"\n',
      '"R: a\\n"\n"D: b\\n"\n',
      '"\\"R: a\\\\n\\"\\n\\"D: c\\\\n\\"\\n"',
    ],
    [
      'whose new text alone is a command in quotation marks',
      '# Load.\nload "$D/../b/load.bash"\n\nx "y"\n',
      'load "$D/../b/load.bash"',
      '"load_library \'b\'"',
    ],
    [
      'whose new text alone is deeper than all lines around it',
      'const c = {\n  p: 1,\n}\n\nif (w) {\n  m = {\n    ...c,\n    g: {\n      t: f,\n    },\n  }\n} else {\n  m = c\n}\n',
      'const c = {\n  p: 1,\n}\n\nif (w) {\n  m = {\n    ...c,\n    g: {\n      t: f,\n    },\n  }\n} else {\n  m = c\n}\n',
      '  log(w)\n\n  m = {\n    p: 1,\n    g: {\n      t: f,\n    },\n    n: w\n      ? a\n      : b,\n  }\n',
    ],
    [
      'whose new text alone has fences around it, and begins as a fence of the old text',
      '```{w}\nType aliases.\n```\n\n```python\nx\n```\n',
      'Type aliases.\n```\n\n```python\n',
      '```python\nType aliases.\n```\n\n```{v} 26\nThe s.\n```\n\n```python\n```\n',
    ],
    [
      'whose new text alone has a fence around it, where the old text ends a block',
      '```sh\na\n```\n\n## b\n\nc\n',
      '```\n\n## b\n\nc\n',
      '```python\n```\n\n### d\n\n```shell\ne\n```\n\nf\n```',
    ],
    [
      'whose new text alone has a tag around it, less deep than its lines, in a file of tags',
      '<a>\n  <file src="b">\n    <V n="19">\n      <code>c</code>\n      <code>c</code>\n  </file>\n</a>\n',
      '  <file src="b">\n    <V n="19">\n      <code>c</code>\n',
      '<content>\n  <file src="b">\n    <V n="21">\n      <code>c</code>\n      <code>c</code>\n</content>',
    ],
    [
      'whose new text alone doubles a backslash, beside a string that becomes raw',
      "zip\\r\n''');\n\nf(equals('''\n1 | foo\n2 | \\\\ whiz\n3 | \\\\ zap\n'''));\n",
      "zip\\r\n''');\n\nf(equals('''\n1 | foo\n2 | \\\\ whiz\n3 | \\\\ zap\n'''));\n",
      "zip\\\\r\n''');\n\nf(equals(r'''\n1 | foo\n2 | \\\\ whiz\n3 | \\\\ zap\n'''));\n",
    ],
    [
      'whose new text alone has tabs, with one space before the stars of comments',
      'x\n\n\n/**\n  * Alias for it and\n  * `that`. Pass in `no` if you want\n  * the temp file to stick around.\n  */\nobject temp{\n  /**\n    * Creates one. You can provide a `dir` to specify where\n    * it lives, `prefix` and `suffix` to say what it looks\n    * like, and `p`.\n    *\n    * Passing in a `s` will set it to\n    * the data; else it is empty.\n    *\n    * By default, all are deleted. You can stop that\n    * by setting `no`\n    */\n  def apply(contents: Source = null,\n            dir: Path = null,\n            prefix: String = null,\n            suffix: String = null,\n            deleteOnExit: Boolean = true,\n            perms: PermSet = null): Path = {\n    import collection.JavaConverters._\n',
      '\n\n/**\n  * Alias for it and\n  * `that`. Pass in `no` if you want\n  * the temp file to stick around.\n  */\nobject temp{\n  /**\n    * Creates one. You can provide a `dir` to specify where\n    * it lives, `prefix` and `suffix` to say what it looks\n    * like, and `p`.\n    *\n    * Passing in a `s` will set it to\n    * the data; else it is empty.\n    *\n    * By default, all are deleted. You can stop that\n    * by setting `no`\n    */\n  def apply(contents: Source = null,\n            dir: Path = null,\n            prefix: String = null,\n            suffix: String = null,\n            deleteOnExit: Boolean = true,\n            perms: PermSet = null): Path = {\n    import collection.JavaConverters._\n',
      '\n/**\n * Alias for it and\n * `that`. Pass in `no` if you want\n * the temp file to stick around.\n */\nobject temp {\n\n\t/**\n\t * Creates one. You can provide a `dir` to specify where\n\t * it lives, `prefix` and `suffix` to say what it looks\n\t * like, and `p`.\n\t *\n\t * Passing in a `s` will set it to\n\t * the data; else it is empty.\n\t *\n\t * By default, all are deleted. You can stop that\n\t * by setting `no`\n\t */\n\tdef apply(\n\t\t\tcontents: Source = null,\n\t\t\tdir: Path = null,\n\t\t\tprefix: String = null,\n\t\t\tsuffix: String = null,\n\t\t\tdeleteOnExit: Boolean = true,\n\t\t\tperms: PermSet = null\n',
    ],
    [
      'whose new text alone has a fence without a language around the fence of the old text',
      'a\n\n```sh:x\n# b\nc\n```\n',
      '\n```sh:x\n# b\n',
      '```\n\n```sh\n# b\n```',
    ],
    [
      'whose new text alone has three quotation marks around a changed line of code',
      'def f():\n    """D."""\n    func = getattr(func, "c", func)\n',
      '    func = getattr(func, "c", func)\n',
      '"""    # Not a check.\n    func = getattr(func, "c", func)  # noqa\n"""',
    ],
    [
      'whose new text alone is a setting without a value in quotation marks',
      'm = 10\n\nignore =\n\tW503\n\tW504\nx = "a"\n',
      'ignore =\n\tW503\n\tW504',
      '"extend-ignore ="',
    ],
    [
      'whose new text alone has a tag before its indentation, where the old text begins with that tag',
      '<ul>\n    <code>a</code>b\n  <li>\n    <code>c</code>d\n</ul>\n',
      '    <code>a</code>b\n  <li>\n',
      '<code>    <code>a</code>b2\n  <li>\n</code>',
    ],
    [
      'whose new text alone has the signs of a diff, where the old text begins its lines so too',
      '- If you want it, remember to:\n\n  #. ``build`` (to build)\n  #. ``install``  (to install)\n\n  You have to do both steps.\n- Try to limit it.\n- To run tests.\n',
      '  #. ``build`` (to build)\n  #. ``install``  (to install)\n\n  You have to do both steps.\n- Try to limit it.\n',
      '+  #. ``git submodule`` first of all, which may take a while\n+  #. ``build`` (to build)\n+  #. ``install``  (to install)\n+\n+  You have to do steps 2 and 3.\n - Try to limit it.\n',
    ],
    [
      'whose new text alone has line ends and colours escaped',
      'x\n\u001b[33mTrace\u001b[0m\n\n> File "\u001b[32mind\u001b[0m", line 20\ny\n',
      '\u001b[33mTrace\u001b[0m\n\n> File "\u001b[32mind\u001b[0m", line 20',
      '\\u001b[33mTrace\\u001b[0m\\n\\n> File \\"\\u001b[32mind\\u001b[0m\\", line 19',
    ],
    [
      'whose new text alone doubles the backslashes of two kept lines, where the file has others doubled',
      "f(q'''\n1 | \\\\ \n2 | \\\\ \n3 | \\\\ \n''')\ng('a\\nb')\ng('c\\n')\n",
      "f(q'''\n1 | \\\\ \n2 | \\\\ \n3 | \\\\ \n''')\ng('a\\nb')\ng('c\\n')\n",
      "f(r'''\n1 | \\\\ \n2 | \\\\ \n3 | \\\\ \n''')\ng('a\\\\nb')\ng('c\\\\n')\n",
    ],
    [
      'whose new text alone has marks of a description around a changed line of code',
      '"""doc"""\nimport a\n\nfrom b import c, d\n\n\ndef f():\n    """\n    Verify\n    """\n\n\nclass X:\n',
      '\nfrom b import c, d\n\n\ndef f():\n    """\n    Verify\n    """\n\n',
      '"""\nfrom b import d\n\n"""',
    ],
    [
      'whose new text alone is a string that begins with an escaped line end',
      '"c"\n  x\n\nExecute:\n  Restore\n',
      '\nExecute:\n  Restore',
      '"\\nInclude: i/t.vader"',
    ],
    [
      'whose new text alone has a plus sign before the mark of a comment',
      '-- a\n-- b: c\n-- d\n+ e\n',
      '-- b: c\n',
      '+-- b: c (f)\n',
    ],
    [
      'whose new text alone is in a fence, where the old text has one with a language',
      'a\n\n### Run\n\n```vim\n:V*\n```\n',
      '\n### Run\n\n```vim\n:V*\n```\n',
      '```\n\n### Run\n\n```\n./run\n```\n```\n',
    ],
    [
      'whose new text alone is in a fence, where the fences of the old text are deeper',
      'a\n\n*   tests\n    ```\n      Running\n    ```\n\n*   other\n    ```\n    Error\n',
      '\n*   tests\n    ```\n      Running\n    ```\n\n*   other\n    ```\n    Error\n',
      '```\n\n*   other\n    ```\n    Error\n```',
    ],
    [
      'whose new text alone has signs of a diff before items of a list',
      '- a\n- [ ] b is here\n- [ ] c\n+ d\n',
      '- [ ] b is here\n- [ ] c\n',
      '+- [ ] b was here\n - [ ] c\n',
    ],
    [
      'whose new text alone escapes the mark that begins a comment',
      '" a: b\n"   any of the followings\nlet c = [\'d\']\n',
      "\"   any of the followings\nlet c = ['d']\n",
      "\\\"   any of the following words\nlet c = ['d']\n",
    ],
    [
      'whose new text alone escapes marks, where one line is kept with them and another without',
      'if (a) {\n  t(\'U \\"$a\\" and \'\n      "\\"$b\\" do not match.");\n}\n',
      '  t(\'U \\"$a\\" and \'\n      "\\"$b\\" do not match.");\n}\n',
      '  t(\'U \\"$a\\" and \'\n      \\"\\\\"$b\\\\" do not match.\\");\n}\n',
    ],
    ['whose new text alone ends in blanks after a newline', 'a\n\nb\n', 'a\n', 'c\n  '],
  ];
  for (const edit of refused) itRefuses(edit);
});
