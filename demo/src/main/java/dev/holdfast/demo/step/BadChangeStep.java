// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import dev.holdfast.demo.environment.DemoEnvironment;
import dev.holdfast.demo.report.StepHeading;
import dev.holdfast.demo.shop.EditRound;
import dev.holdfast.demo.shop.ShopObjects;
import dev.holdfast.demo.shop.Team;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;

/** One bad change in the middle of nine good ones. */
final class BadChangeStep implements Step {
  @Override
  public StepHeading heading(DemoEnvironment world) {
    return StepHeading.of(
        "bad-change",
        "A bad change in the middle of nine good ones",
        world.round() == EditRound.SCRIPTS ? scripts() : routes(),
        "All ten end up in one resource, which a proxy takes or refuses as a whole: one bad edit"
            + " keeps nine good ones out, unless somebody finds it.");
  }

  private static String scripts() {
    return "All ten teams edit the Lua script that marks their responses, at the same time. The one"
               + " of payments loses a bracket. The object is valid; that the script does not"
               + " compile, only Envoy can tell.";
  }

  private static String routes() {
    return "All ten teams move to v3 at the same time. The team payments also adds a route for 600"
        + " customers, by a regular expression of "
        + String.format(Locale.ROOT, "%,d", ShopObjects.customers().length())
        + " characters. The object is valid; how long an expression may be is for each proxy to"
        + " say, and this gRPC client takes 4,096.";
  }

  @Override
  public void play(StepContext stage) throws IOException {
    DemoEnvironment world = stage.world();
    EditRound round = world.round();
    stage.act();
    world.save(round.edit());
    stage.claim(
        "the object to blame is held: " + culprit(round),
        () -> world.plane().admin().held().contains(culprit(round)));
    stage.claim(
        "calls to the nine others see what they changed",
        () ->
            Arrays.stream(Team.values())
                .filter(team -> team != EditRound.CULPRIT)
                .allMatch(team -> world.seen(team).equals(round.after())));
    stage.claim(
        "the nine others are Programmed=True in their newest generation",
        () ->
            world.plane().admin().objects().stream()
                .filter(object -> object.kind().equals(round.kind()))
                .filter(object -> !object.id().equals(culprit(round)))
                .allMatch(object -> object.isProgrammed()));
    stage.check(
        "calls to payments are answered as before the edit",
        world.seen(EditRound.CULPRIT).equals(round.before()));
  }

  static String culprit(EditRound round) {
    return round.kind() + "/" + EditRound.CULPRIT.object();
  }
}
