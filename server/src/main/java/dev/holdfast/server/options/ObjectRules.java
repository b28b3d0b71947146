// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.config.files.Placement;
import dev.holdfast.controlplane.authors.AuthorPolicy;
import dev.holdfast.controlplane.authors.AuthorRules;
import dev.holdfast.controlplane.authors.DirectoryRule;
import dev.holdfast.controlplane.authors.ServedContents;
import dev.holdfast.controlplane.translate.TranslationOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the options of a server say about objects, for those who check objects without the server.
 *
 * @param translation how objects become resources, with the rules for authors
 * @param placement which objects may stand in which files
 * @param directory the served one; null if the options do not name it
 */
public record ObjectRules(
    TranslationOptions translation, Placement placement, @Nullable Path directory) {

  /** Without options: objects are checked by themselves. */
  public static ObjectRules none() {
    return new ObjectRules(TranslationOptions.defaults(), Placement.ANYWHERE, null);
  }

  /**
   * Those of an options file. Files that it names, such as that of a token, are not read.
   *
   * @throws StartException if the file cannot be read or understood, with all that is wrong
   */
  public static ObjectRules of(Path file) throws StartException {
    PartialOptions options = OptionsFile.readWithoutToken(file);
    AuthorPolicy authors = options.authors().complete();
    String ingressClass = options.ingressClass();
    return new ObjectRules(
        TranslationOptions.defaults()
            .with(options.traffic().edge())
            .with(
                options
                    .traffic()
                    .settings()
                    .withAuthors(new AuthorRules(authors, new ServedContents())))
            .forClasses(
                ServeOptions.Listeners.classes(
                    ingressClass == null ? ServeOptions.DEFAULT_INGRESS_CLASS : ingressClass)),
        options.cluster().isEnabled()
            ? Placement.ANYWHERE
            : (each, key) -> DirectoryRule.problem(authors.directories(), each, key.namespace()),
        options.directory());
  }
}
