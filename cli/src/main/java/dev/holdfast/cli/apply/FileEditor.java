// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.apply;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonNull;
import dev.holdfast.cli.CommandException;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Changes one object in the text of a file and leaves every other character as it is. What comes
 * out is read again before it counts: an edit that would change another object, or not quite say
 * what it should, is not made.
 */
final class FileEditor {
  private final ObjectFile file;

  FileEditor(ObjectFile file) {
    this.file = file;
  }

  /**
   * The file with an object in the place of the one of the same name.
   *
   * @throws CommandException if that cannot be done
   */
  ObjectFile replace(ConfigObject old, AppliedObject incoming) {
    FileLayout.Block block =
        file.block(old.body().position())
            .orElseThrow(() -> impossible(incoming, "where it is written is out of reach"));
    if (block.kind() == FileLayout.Kind.ITEM) {
      String item = incoming.item(file.isJson(), block.column() - 1);
      return first(incoming, List.of(spliced(block, item)));
    }
    return first(
        incoming,
        incoming.documents(file.isJson()).stream()
            .map(document -> spliced(block, separated(block, document)))
            .toList());
  }

  /** The file with one more document. */
  ObjectFile append(AppliedObject incoming) {
    String text = file.text();
    String gap = text.isEmpty() || text.endsWith("\n") ? "" : "\n";
    String separator = text.isBlank() ? "" : "---\n";
    return first(
        incoming,
        incoming.documents(file.isJson()).stream()
            .map(document -> text + gap + separator + document)
            .toList());
  }

  private String spliced(FileLayout.Block block, String replacement) {
    String text = file.text();
    return text.substring(0, block.start()) + replacement + text.substring(block.end());
  }

  /** With line breaks where something else is on the same line. */
  private String separated(FileLayout.Block block, String document) {
    String text = file.text();
    boolean afterOther = block.start() > 0 && text.charAt(block.start() - 1) == '-';
    boolean beforeOther = block.end() < text.length() && !document.endsWith("\n");
    return (afterOther ? "\n" : "") + document + (beforeOther ? "\n" : "");
  }

  private ObjectFile first(AppliedObject incoming, List<String> texts) {
    for (String text : texts) {
      ObjectFile edited = ObjectFile.of(file.name(), text.getBytes(UTF_8));
      if (isRight(edited, incoming)) {
        return edited;
      }
    }
    throw impossible(incoming, "it would not be read back as it should");
  }

  private boolean isRight(ObjectFile edited, AppliedObject incoming) {
    ObjectKey key = incoming.object().key();
    ConfigObject now = edited.objects().get(key);
    if (now == null
        || !incoming.isSaidBy(now)
        || edited.documents().whole() != file.documents().whole()
        || edited.documents().problems().size() != file.documents().problems().size()
        || edited.objects().size() != file.objects().size() + (isNew(key) ? 1 : 0)) {
      return false;
    }
    for (Map.Entry<ObjectKey, ConfigObject> other : file.objects().entrySet()) {
      ConfigObject after = edited.objects().get(other.getKey());
      boolean kept = other.getKey().equals(key) || (after != null && same(other.getValue(), after));
      if (!kept) {
        return false;
      }
    }
    return true;
  }

  private boolean isNew(ObjectKey key) {
    return !file.objects().containsKey(key);
  }

  /** Apart from where it is written. */
  private static boolean same(ConfigObject before, ConfigObject after) {
    return new AppliedObject(before, Optional.empty(), JsonNull.INSTANCE).isSaidBy(after);
  }

  private CommandException impossible(AppliedObject incoming, String why) {
    return new CommandException(
        incoming.object().key()
            + ": "
            + file.name()
            + " cannot be edited: "
            + why
            + " (expected: documents separated by ---; edit it by hand). Nothing was written");
  }
}
