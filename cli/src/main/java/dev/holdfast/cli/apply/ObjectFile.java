// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.apply;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.cli.CommandException;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import dev.holdfast.config.files.Documents;
import dev.holdfast.config.files.ObjectReader;
import dev.holdfast.config.files.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * A file as it is: its text, what of it can be replaced, and the objects that it holds.
 *
 * @param name as the user wrote it
 */
record ObjectFile(
    String name, String text, Documents documents, Map<ObjectKey, ConfigObject> objects) {
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  static ObjectFile read(Path file) {
    try {
      return of(file.toString(), Files.readAllBytes(file));
    } catch (IOException e) {
      throw new CommandException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }

  static ObjectFile of(String name, byte[] content) {
    Documents documents = YamlReader.read(name, content);
    Map<ObjectKey, ConfigObject> objects = new LinkedHashMap<>();
    for (Value document : documents.documents()) {
      for (ConfigObject object : ObjectReader.read(document).objects()) {
        objects.putIfAbsent(object.key(), object); // of two the first counts
      }
    }
    return new ObjectFile(name, new String(content, UTF_8), documents, objects);
  }

  boolean isJson() {
    return name.toLowerCase(Locale.ROOT).endsWith(".json");
  }

  /** Where the first block may begin. */
  private int prefix() {
    return text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length() : 0;
  }

  /** The block whose value begins at a place. */
  Optional<FileLayout.Block> block(Position place) {
    int prefix = prefix();
    try {
      return FileLayout.of(text.substring(prefix), isJson()).stream()
          .filter(block -> block.line() == place.line() && block.column() == place.column())
          .findFirst()
          .map(
              block ->
                  new FileLayout.Block(
                      block.line(),
                      block.column(),
                      block.kind(),
                      block.start() + prefix,
                      block.end() + prefix));
    } catch (YamlEngineException e) {
      return Optional.empty();
    }
  }

  /** Everything that is written at a place, also what an object does not keep. */
  Optional<Value> value(Position place) {
    for (Value document : documents.documents()) {
      if (document.position().equals(place)) {
        return Optional.of(document);
      }
      if (document instanceof Mapping list && list.get("items") instanceof Sequence items) {
        List<Value> elements = items.elements();
        Optional<Value> item =
            elements.stream().filter(element -> element.position().equals(place)).findFirst();
        if (item.isPresent()) {
          return item;
        }
      }
    }
    return Optional.empty();
  }
}
