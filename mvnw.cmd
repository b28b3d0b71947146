@rem SPDX-License-Identifier: Apache-2.0
@rem
@rem What mvnw does, for Windows: runs Maven at the version this project is built with. The first run puts it
@rem into a per-user cache (HOLDFAST_CACHE, else LOCALAPPDATA\holdfast). Version and digest are those of mvnw,
@rem which is read for them, so that there is one place to change.
@echo off
setlocal
set "mvnw_self=%~f0"
set "mvnw_here=%~dp0"
for /f "usebackq tokens=1,2 delims==" %%a in (`findstr /b "version= sha512= group=" "%~dp0mvnw"`) do set "mvnw_%%a=%%b"
set "mvnw_cache=%HOLDFAST_CACHE%"
if not defined mvnw_cache set "mvnw_cache=%LOCALAPPDATA%\holdfast"
set "mvnw_home=%mvnw_cache%\maven\apache-maven-%mvnw_version%"
if exist "%mvnw_home%\bin\mvn.cmd" goto run
powershell -NoProfile -ExecutionPolicy Bypass -Command "Invoke-Expression ((Get-Content -Raw -LiteralPath $env:mvnw_self) -split '(?m)^:powershell\r?$')[1]"
if errorlevel 1 exit /b 1
:run
"%mvnw_home%\bin\mvn.cmd" %*
exit /b

:powershell
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue' # drawing it takes longer than the download
$version = $env:mvnw_version
$group = $env:mvnw_group
$name = "apache-maven-$version-bin.zip"
$work = Join-Path $env:mvnw_cache "maven\fetch.$PID"
$archive = Join-Path $work $name
try {
  [Console]::Error.WriteLine("mvnw: fetching Maven $version into $env:mvnw_cache")
  New-Item -ItemType Directory -Force -Path $work | Out-Null

  # An older Maven fetches it by its coordinates, so that the user's own mirror and proxy settings apply.
  if (Get-Command mvn -ErrorAction SilentlyContinue) {
    & mvn -q -B -f (Join-Path $env:mvnw_here '.mvn\empty-pom.xml') `
      org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy `
      "-Dartifact=${group}:apache-maven:${version}:zip:bin" "-DoutputDirectory=$work" | Out-Null
  }
  if (-not (Test-Path -LiteralPath $archive)) {
    $repository = $env:MVNW_REPOURL
    if (-not $repository) { # the project's repository lives under its own domain, the group id reversed
      $domain = $group.Split('.')
      [array]::Reverse($domain)
      $repository = 'https://repo.' + ($domain -join '.') + '/maven2'
    }
    [Net.ServicePointManager]::SecurityProtocol = [Net.SecurityProtocolType]::Tls12
    $url = "$repository/$($group.Replace('.', '/'))/apache-maven/$version/$name"
    Invoke-WebRequest -UseBasicParsing -Uri $url -OutFile $archive
  }

  if ((Get-FileHash -Algorithm SHA512 -LiteralPath $archive).Hash -ne $env:mvnw_sha512) {
    throw "checksum of $archive does not match; nothing was installed"
  }
  Expand-Archive -LiteralPath $archive -DestinationPath $work
  if (-not (Test-Path -LiteralPath $env:mvnw_home)) { # another run may have been faster
    Move-Item -LiteralPath (Join-Path $work "apache-maven-$version") -Destination $env:mvnw_home
  }
} catch {
  [Console]::Error.WriteLine("mvnw: $_")
  exit 1
} finally {
  Remove-Item -Recurse -Force -LiteralPath $work -ErrorAction SilentlyContinue
}
