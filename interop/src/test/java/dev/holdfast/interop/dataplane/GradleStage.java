// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

/** What applications that Gradle built call, and how their calls have to end. */
final class GradleStage implements AutoCloseable {
  private final Stage stage = new Stage();

  GradleStage() {
    stage.serve(stage.backend(ApplicationsTest.ANSWER));
  }

  void check(GradleApplication application, GradleBuild build) throws Exception {
    ApplicationRun run =
        ApplicationRun.start(
            JavaRuntime.ofThisTest().program(),
            build.classPath(application),
            "application.Main",
            stage.bootstrapVariables());

    assertThat(run.output()).as("%s", run.errors()).isNotEmpty();
    assertThat(run.output().get(0)).as("%s", run.errors()).matches(application.outcome());
    if (application.isRefused()) {
      assertThat(String.join("\n", run.errors())).doesNotContain("Panic", "\tat ");
    } else {
      assertThat(run.errorsOfHoldfast()).isEmpty();
    }
  }

  @Override
  public void close() {
    stage.close();
  }
}
