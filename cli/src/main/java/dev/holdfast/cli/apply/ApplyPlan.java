// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.apply;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.cli.CommandException;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The edits that bring a directory to the applied objects. */
final class ApplyPlan {
  /** What others refer to comes first, for a reader that looks while files are being written. */
  private static final Set<String> REFERRED_TO =
      Set.of("EndpointSlice", "ExtensionService", "Secret", "Service", "TLSCertificateDelegation");

  /** What is done about an object. */
  enum Action {
    CREATED,
    CHANGED,
    UNCHANGED;

    /** The word in all output formats. */
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One object.
   *
   * @param file where it stands afterwards, or the one that was applied to a cluster
   * @param newGeneration whether the server will see a new generation of it
   */
  record Step(ObjectKey object, Action action, Path file, boolean newGeneration) {}

  /**
   * One file.
   *
   * @param before null if there is none
   */
  private record FileChange(@Nullable ObjectFile before, ObjectFile after) {}

  private final Path directory;
  private final Map<ObjectKey, ConfigObject> there;
  private final List<Step> steps = new ArrayList<>();
  private final Map<Path, FileChange> files = new TreeMap<>();

  private ApplyPlan(Path directory, Map<ObjectKey, ConfigObject> there) {
    this.directory = directory;
    this.there = there;
  }

  /**
   * @param there the objects that the directory has
   * @throws CommandException if it cannot be done
   */
  static ApplyPlan of(
      Path directory, Map<ObjectKey, ConfigObject> there, List<AppliedObject> wanted) {
    ApplyPlan plan = new ApplyPlan(directory, there);
    wanted.forEach(plan::add);
    return plan;
  }

  private void add(AppliedObject wanted) {
    ObjectKey key = wanted.object().key();
    ConfigObject old = there.get(key);
    if (old == null) {
      Path file = directory.resolve(fileName(key));
      ObjectFile before = Files.exists(file) ? ObjectFile.read(file) : null;
      ObjectFile start = before == null ? ObjectFile.of(file.toString(), new byte[0]) : before;
      files.put(file, new FileChange(before, new FileEditor(start).append(wanted)));
      steps.add(new Step(key, Action.CREATED, file, /* newGeneration= */ true));
      return;
    }
    Path file = Path.of(old.body().position().source());
    if (wanted.isSaidBy(old)) {
      steps.add(new Step(key, Action.UNCHANGED, file, /* newGeneration= */ false));
      return;
    }
    FileChange change = files.computeIfAbsent(file, ApplyPlan::untouched);
    ConfigObject progress = change.after.objects().get(key);
    if (progress == null) {
      throw new CommandException(
          file + ": another program changed this file meanwhile; run the command again");
    }
    files.put(
        file,
        new FileChange(change.before, new FileEditor(change.after).replace(progress, wanted)));
    steps.add(new Step(key, Action.CHANGED, file, !wanted.hasBodyOf(old)));
  }

  private static FileChange untouched(Path file) {
    ObjectFile before = ObjectFile.read(file);
    return new FileChange(before, before);
  }

  /** No name of an object has an underscore, so that no two objects share a name of a file. */
  static String fileName(ObjectKey key) {
    return key.kind().toLowerCase(Locale.ROOT) + "_" + key.namespace() + "_" + key.name() + ".yaml";
  }

  /** In the order in which objects were given. */
  List<Step> steps() {
    return List.copyOf(steps);
  }

  /** Puts all files in place, one by one. */
  void write() {
    List<Path> order = new ArrayList<>(files.keySet());
    order.sort(Comparator.comparing(file -> isReferredTo(file) ? 0 : 1));
    for (Path file : order) {
      FileChange change = files.get(file);
      if (change != null) {
        ObjectFile before = change.before;
        AtomicFile.write(
            file,
            change.after.text().getBytes(UTF_8),
            before == null ? null : before.text().getBytes(UTF_8));
      }
    }
  }

  private boolean isReferredTo(Path file) {
    return steps.stream()
        .filter(step -> step.file.equals(file) && step.action != Action.UNCHANGED)
        .allMatch(step -> REFERRED_TO.contains(step.object.kind()));
  }
}
